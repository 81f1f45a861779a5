#pragma once

#include <QLayout>

#include <vector>

namespace wardbench {

/// Takes all rows out of their layout. They are deleted later: the signal of a row's own button may be on the stack.
template <typename Row>
void clearRows(QLayout &layout, std::vector<Row *> &rows)
{
    for (Row *row : rows) {
        layout.removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    rows.clear();
}

} // namespace wardbench
