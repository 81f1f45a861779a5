#pragma once

#include "run/runsession.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

namespace wardbench {

/// The page of one run (window.md, While a scenario runs, and after): live while a session works, the result after.
/// The page only looks: it pulls a snapshot every 200 ms while it is visible and owns no thread. The shell starts the
/// session; the page asks for its end with `stopRequested`.
class RunPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunPage(QWidget *parent = nullptr);
    ~RunPage() override;

    /// Follows a session (started, or about to be). `scenario` is the heading until the result names it itself.
    void showSession(std::shared_ptr<RunSession> session, const QString &scenario = {});
    /// Shows a finished run, from a session or from a file.
    void showResult(const RunResult &result);

    bool isRunning() const; ///< a session is followed and has not ended
    const std::optional<RunResult> &result() const;

public Q_SLOTS:
    /// The save dialog for the focused chart (Ctrl+E); PNG at 2x is preset, Enter saves.
    void exportChart();
    /// Picture of the focused chart and a Markdown table of the figures, to the clipboard.
    void copy();
    void saveRunAs();

Q_SIGNALS:
    void stopRequested();
    /// Once per session, also for an interrupted one.
    void runFinished(const wardbench::RunResult &result);
    /// The session ended without a result: a mock could not start, ...; `reason` is for the user.
    void runFailed(const QString &reason);
    /// A short line for the status bar: "Saved holder-described_percentiles_2026-11-30T1405.png".
    void statusMessage(const QString &text);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
