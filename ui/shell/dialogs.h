#pragma once

class QWidget;

namespace wardbench {

class Actions;

/// Name, version, Qt, licence; what goes into a bug report can be copied.
void showAbout(QWidget *window);
/// Every action that has a key, as a list to search.
void showShortcuts(const Actions &actions, QWidget *window);

} // namespace wardbench
