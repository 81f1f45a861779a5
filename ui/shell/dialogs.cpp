#include "shell/dialogs.h"

#include "shell/actions.h"
#include "shell/theme.h"

#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSysInfo>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QString details()
{
    return u"Wardbench %1, Qt %2, %3, %4"_s.arg(QStringLiteral(WARDBENCH_VERSION), QString::fromLatin1(qVersion()),
                                                QSysInfo::prettyProductName(), QGuiApplication::platformName());
}

} // namespace

void showAbout(QWidget *window)
{
    auto *dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("About Wardbench"));
    auto *row = new QHBoxLayout(dialog);
    row->setContentsMargins(24, 24, 24, 16);
    row->setSpacing(24);
    auto *mark = new QLabel(dialog);
    mark->setPixmap(QIcon(u":/icons/wardbench.svg"_s).pixmap(QSize(64, 64), window->devicePixelRatioF()));
    row->addWidget(mark, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout;
    column->setSpacing(8);
    auto *title = new QLabel(u"<b>Wardbench %1</b>"_s.arg(QStringLiteral(WARDBENCH_VERSION)), dialog);
    auto *text = new QLabel(QObject::tr("Build the flaky back end, put your policy in front of it, measure what it buys you.<br><br>"
                                        "Free software under the GNU General Public License, version 3 or later.<br>"
                                        "Made with Qt %1, Asio, OpenSSL, PCRE2, RE2, nlohmann-json and QScintilla.")
                                .arg(QString::fromLatin1(qVersion())), dialog);
    text->setWordWrap(true);
    text->setMinimumWidth(380);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton *copy = buttons->addButton(QObject::tr("&Copy details"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog, [] { QGuiApplication::clipboard()->setText(details()); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(title);
    column->addWidget(text);
    column->addSpacing(8);
    column->addWidget(buttons);
    row->addLayout(column);
    dialog->open();
}

void showShortcuts(const Actions &actions, QWidget *window)
{
    auto *dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Keyboard Shortcuts"));
    auto *filter = new QLineEdit(dialog);
    filter->setPlaceholderText(QObject::tr("Search actions and keys"));
    filter->setAccessibleName(filter->placeholderText());
    filter->setClearButtonEnabled(true);
    auto *list = new QTreeWidget(dialog);
    list->setAccessibleName(QObject::tr("Shortcuts"));
    list->setHeaderLabels({QObject::tr("Action"), QObject::tr("Keys")});
    list->setRootIsDecorated(false);
    for (const QAction *action : actions.all()) {
        QString text = action->text();
        text.remove(u'&').remove(u'\u2026');
        if (!action->shortcuts().isEmpty() && !text.isEmpty())
            new QTreeWidgetItem(list, {text, QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)});
    }
    list->sortItems(0, Qt::AscendingOrder);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    QObject::connect(filter, &QLineEdit::textChanged, list, [list](const QString &text) {
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            QTreeWidgetItem *item = list->topLevelItem(i);
            item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive) && !item->text(1).contains(text, Qt::CaseInsensitive));
        }
    });
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(filter);
    layout->addWidget(list, 1);
    layout->addWidget(buttons);
    dialog->resize(480, 560);
    dialog->open();
}

} // namespace wardbench
