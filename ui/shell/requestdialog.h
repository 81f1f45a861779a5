#pragma once

#include "model/imposter.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace wardbench {

/// A request to finish by hand: to be sent, for stubs whose conditions do not say what a request looks like, or to be
/// asked about only. Does not block the window.
class RequestDialog : public QDialog
{
    Q_OBJECT

public:
    enum class Purpose { Send, Ask };
    RequestDialog(Purpose purpose, const QString &why, const ExampleRequest &draft, QWidget *parent = nullptr);
    ExampleRequest request() const;

Q_SIGNALS:
    void sendRequested(const wardbench::ExampleRequest &request, bool keepAsExample);
    void askRequested(const wardbench::ExampleRequest &request);

private:
    QComboBox *m_method;
    QLineEdit *m_path;
    QPlainTextEdit *m_headers, *m_body;
    QCheckBox *m_keep;
};

} // namespace wardbench
