#pragma once

namespace wardbench {

/// The window: makes the QApplication, opens the file named on the command line if any, runs until it is closed.
int runWindow(int argc, char **argv);

} // namespace wardbench
