#pragma once

// QScintilla's headers use Qt's keywords, which this project switches off.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexerjavascript.h>
#include <Qsci/qscilexerjson.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots
