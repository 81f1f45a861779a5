#pragma once

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/codeeditor.h"
#include "editors/editorpage.h"
#include "json/writer.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

#include <memory>

namespace wardbench {

/// An editor page over a workspace, as a person meets it: fields are found by their accessible names.
class PageFixture
{
public:
    explicit PageFixture(const std::string &workspace)
    {
        m_good = bool(m_document.openCopy(QStringLiteral("page"), workspace));
        m_mocks = std::make_unique<MockController>(&m_document);
    }

    bool isGood() const { return m_good; }
    WorkspaceDocument &document() { return m_document; }
    EditorPage *show(ItemKind kind, const char *pointer)
    {
        const json::Path path = *json::parsePointer(pointer);
        m_page.reset(createEditorPage(kind, &m_document, m_mocks.get(), nullptr));
        m_page->setTarget(path);
        QObject::connect(&m_document, &WorkspaceDocument::changed, m_page.get(),
                         [this, path] { m_page->refresh(path); });
        m_page->resize(900, 700);
        m_page->show();
        return m_page.get();
    }

    template <typename T = QWidget>
    T *named(const char *accessibleName) const
    {
        for (T *widget : m_page->findChildren<T *>()) {
            if (widget->accessibleName() == QString::fromUtf8(accessibleName) && !isLeaving(widget))
                return widget;
        }
        return nullptr;
    }
    void type(const char *field, const QString &text) const
    {
        auto *line = named<QLineEdit>(field);
        QVERIFY2(line, field);
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Backspace);
        QTest::keyClicks(line, text);
    }
    void choose(const char *field, const char *word) const
    {
        auto *box = named<QComboBox>(field);
        QVERIFY2(box, field);
        const int index = box->findData(QString::fromLatin1(word));
        QVERIFY2(index >= 0, word);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }
    void click(const char *button) const
    {
        auto *found = named<QAbstractButton>(button);
        QVERIFY2(found, button);
        found->click();
    }
    void write(const char *editor, const QString &text) const
    {
        auto *found = named<CodeEditor>(editor);
        QVERIFY2(found, editor);
        found->setText(text);
    }

    std::string at(const char *pointer) const
    {
        const json::Value *value = json::resolve(m_document.workspace()->root, *json::parsePointer(pointer));
        return value ? json::writeCompact(*value) : std::string("absent");
    }
    std::string bytes() const { return json::writeDocument(m_document.workspace()->root); }
    void undoAll()
    {
        while (m_document.undoStack()->canUndo())
            m_document.undoStack()->undo();
    }

private:
    // Rows that went are deleted a moment later; those that came are shown a moment later.
    bool isLeaving(const QWidget *widget) const
    {
        for (const QWidget *each = widget; each && each != m_page.get(); each = each->parentWidget()) {
            if (each->isHidden() && each->testAttribute(Qt::WA_WState_ExplicitShowHide))
                return true;
        }
        return false;
    }

    WorkspaceDocument m_document;
    bool m_good = false;
    std::unique_ptr<MockController> m_mocks;
    std::unique_ptr<EditorPage> m_page;
};

} // namespace wardbench
