#include "cli/mbcommand.h"

#include "admin/adminserver.h"
#include "cli/mbclient.h"
#include "cli/mboptions.h"
#include "cli/mbserver.h"
#include "cli/pidfile.h"

#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;

namespace {

/// What would need Node's modules: said at once, and not when it is too late.
QString refusal(const MbOptions &options)
{
    if (options.isGiven("formatter") && options.text("formatter") != "mountebank-formatters")
        return u"--formatter needs a Node module, which this program cannot load; config files are JSON or EJS, and "
               "saved as JSON"_s;
    if (options.isGiven("impostersRepository"))
        return u"--impostersRepository needs a Node module, which this program cannot load"_s;
    return {};
}

} // namespace

QString MbCommand::name() const
{
    return u"mb"_s;
}

QString MbCommand::help() const
{
    return uR"(Usage: wardbench mb [start|restart|stop|save|replay|help] [options]
mountebank's own command line: a program that starts mb works with this.

  start     serve (when no command is given)
  restart   stop what --pidfile names, then start
  stop      stop what --pidfile names
  save      write the running imposters to --savefile
  replay    go on without the running imposters' proxies

  --port N, -p            of the REST API (2525)
  --host NAME, -h         listen there only, imposters too (default: everywhere)
  --configfile FILE       imposters to begin with: JSON, or EJS that renders to it
  --noParse               the config file is plain JSON, no EJS
  --datadir DIR           keep the imposters there as files, and begin with those that are there
  --pidfile FILE          written when all is ready, removed at the end (mb.pid)
  --logfile FILE          JSON lines (mb.log); --nologfile: none
  --loglevel LEVEL        debug, info, warn or error (info)
  --log JSON              level, and format of console and file, instead of the options above
  --allowInjection, -i    run JavaScript and shell commands of imposters
  --localOnly, -l         nobody but this machine may connect
  --ipWhitelist A|B, -w   only these addresses and this machine may connect (*)
  --debug, -d             stubs show what they matched
  --mock, -m              record requests everywhere
  --protofile FILE        protocols that programs speak, as JSON (protocols.json)
  --origin ORIGIN, -o pages there may use the REST API (repeatable)
  --apikey KEY            wanted in the header x-api-key
  --rcfile FILE           JSON object of options
  --savefile FILE         of save (mb.json)
  --removeProxies, -r     save: without proxies
  --version               the version of mountebank that this does the work of

Started under the name mb (a link, or a script with the two lines "#!/bin/sh" and
exec wardbench mb "$@") the program is this command.

Exit code: 0 done or stopped; 1 failed
)"_s;
}

int MbCommand::execute(const QStringList &arguments, const Streams &streams)
{
    QStringList remarks;
    const MbOptions options(arguments, remarks);
    if (options.wantsVersion()) {
        streams.out << admin::mountebankVersion << std::endl;
        return Done;
    }
    const std::string &command = options.command();
    if (command == "help" || options.wantsHelp()) {
        streams.out << help().toStdString() << std::flush;
        return Done;
    }
    for (const QString &remark : remarks)
        streams.err << remark.toStdString() << std::endl;
    if (const QString refused = refusal(options); !refused.isEmpty()) {
        streams.err << refused.toStdString() << std::endl;
        return Failed;
    }
    if (command == "save")
        return runMbSave(options, streams);
    if (command == "replay")
        return runMbReplay(options, streams);
    if (command == "stop" || command == "restart")
        PidFile(options.text("pidfile")).stopProcess();
    if (command == "stop")
        return Done;
    if (command == "start" || command == "restart")
        return runMbServer(options, streams);
    streams.err << "Invalid command '" << command << "'.\n\n" << help().toStdString() << std::flush;
    return Failed;
}

} // namespace wardbench::cli
