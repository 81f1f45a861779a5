#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QWidget>

#include <initializer_list>

class QCheckBox;
class QGridLayout;
class QPushButton;

namespace wardbench {

class GeneratorList;
class HeaderRows;
class MemberForm;

/// A `proxy` answer: where requests go, what is recorded of them, and the certificate shown there.
class ProxyForm : public QWidget
{
    Q_OBJECT

public:
    explicit ProxyForm(QWidget *parent = nullptr);
    void setProxy(const json::Value &proxy, const QString &protocol);
    /// Whether the mock records at the moment, which is the window's and not the file's.
    void setRecording(bool on);

Q_SIGNALS:
    void recordingRequested(bool on);
    /// Set `value` at `path` below the proxy; Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    void addSection(const QString &label, std::initializer_list<QWidget *> widgets);
    void buildRecording();
    void buildCertificate();

    QGridLayout *m_grid;
    MemberForm *m_form, *m_recorded, *m_certificate;
    GeneratorList *m_generators;
    HeaderRows *m_headers;
    QPushButton *m_addHeader, *m_showCertificate;
    QCheckBox *m_record;
};

} // namespace wardbench
