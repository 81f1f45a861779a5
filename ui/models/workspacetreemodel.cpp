#include "models/workspacetreemodel.h"

#include "document/edits.h"
#include "match/explanation.h"
#include "models/workspacetreenode.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QFont>
#include <QLocale>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QString runLabel(const RunItem &run)
{
    const QDate today = QDate::currentDate();
    const QLocale locale;
    const QString time = run.time.toString(u"HH:mm"_s);
    const QString day = run.time.date() == today ? QObject::tr("Today")
        : run.time.date() == today.addDays(-1)   ? QObject::tr("Yesterday")
                                                 : run.time.toString(run.time.date().year() == today.year() ? u"d MMM"_s : u"d MMM yyyy"_s);
    return QObject::tr("%1 %2  %3", "run: day, time, scenario").arg(day, time, run.scenario);
}

} // namespace

WorkspaceTreeModel::WorkspaceTreeModel(WorkspaceDocument *document, MockController *mocks, QObject *parent)
    : QAbstractItemModel(parent), m_document(document), m_mocks(mocks), m_root(std::make_unique<Node>())
{
    for (int group = 0; group < GroupCount; ++group) {
        auto node = std::make_unique<Node>();
        node->id = static_cast<quint64>(group);
        node->parent = m_root.get();
        node->row = group;
        m_root->children.push_back(std::move(node));
    }
    sync();
    connect(document, &WorkspaceDocument::changed, this, &WorkspaceTreeModel::sync);
    if (mocks) {
        connect(mocks, &MockController::stateChanged, this, &WorkspaceTreeModel::changedStates);
        connect(mocks, &MockController::recordingChanged, this, &WorkspaceTreeModel::changedStates);
    }
}

WorkspaceTreeModel::~WorkspaceTreeModel() = default;

WorkspaceTreeModel::Node *WorkspaceTreeModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : m_root.get();
}

QModelIndex WorkspaceTreeModel::indexFor(const Node *node, int column) const
{
    return node == m_root.get() ? QModelIndex() : createIndex(node->row, column, node);
}

WorkspaceTreeModel::Node *WorkspaceTreeModel::find(Type type, quint64 id) const
{
    const auto among = [&](Node *parent) -> Node * {
        for (const auto &child : parent->children) {
            if (child->type == type && child->id == id)
                return child.get();
        }
        return nullptr;
    };
    const auto group = [&](Group g) { return m_root->children[static_cast<std::size_t>(g)].get(); };
    switch (type) {
    case Type::Mock: return among(group(Mocks));
    case Type::Policy: return among(group(Policies));
    case Type::Scenario: return among(group(Scenarios));
    case Type::Run: return among(group(Runs));
    case Type::Stub:
        for (const auto &mock : group(Mocks)->children) {
            if (Node *stub = among(mock.get()))
                return stub;
        }
        return nullptr;
    case Type::Group: break;
    }
    return nullptr;
}

WorkspaceTreeModel::Type WorkspaceTreeModel::typeAt(const QModelIndex &index) const
{
    return nodeOf(index)->type;
}

ItemRef WorkspaceTreeModel::refAt(const QModelIndex &index) const
{
    const Node *node = nodeOf(index);
    switch (node->type) {
    case Type::Mock: return {ItemKind::Mock, node->id};
    case Type::Stub: return {ItemKind::Stub, node->id};
    case Type::Policy: return {ItemKind::Policy, node->id};
    case Type::Scenario: return {ItemKind::Scenario, node->id};
    default: return {};
    }
}

QModelIndex WorkspaceTreeModel::indexOf(const ItemRef &ref) const
{
    const Type type = ref.kind == ItemKind::Mock ? Type::Mock
        : ref.kind == ItemKind::Stub             ? Type::Stub
        : ref.kind == ItemKind::Policy           ? Type::Policy
                                                 : Type::Scenario;
    const Node *node = ref.isNull() ? nullptr : find(type, ref.id);
    return node ? indexFor(node) : QModelIndex();
}

QModelIndex WorkspaceTreeModel::groupIndex(Group group) const
{
    return index(group, 0);
}

QString WorkspaceTreeModel::runPath(const QModelIndex &index) const
{
    const Node *node = nodeOf(index);
    return node->type == Type::Run ? node->as<RunItem>().path : QString();
}

QModelIndex WorkspaceTreeModel::indexOfRun(const QString &path) const
{
    const Node *node = m_runIds.contains(path) ? find(Type::Run, m_runIds.value(path)) : nullptr;
    return node ? indexFor(node) : QModelIndex();
}

void WorkspaceTreeModel::setRuns(const QVector<RunItem> &runs)
{
    m_runs = runs;
    std::vector<Wanted> wanted;
    for (const RunItem &run : runs) {
        quint64 &id = m_runIds[run.path];
        if (id == 0)
            id = static_cast<quint64>(m_runIds.size());
        wanted.push_back({Type::Run, id, std::make_shared<const RunItem>(run)});
    }
    syncChildren(m_root->children[Runs].get(), std::move(wanted));
}

void WorkspaceTreeModel::sync()
{
    const WorkspacePtr now = m_document->workspace();
    const WorkspaceIds &ids = m_document->ids();
    const auto listed = [](Type type, const auto &things, const std::vector<quint64> &thingIds) {
        std::vector<Wanted> wanted;
        wanted.reserve(things.size());
        for (std::size_t i = 0; i < things.size(); ++i)
            wanted.push_back({type, thingIds[i], things[i]});
        return wanted;
    };
    Node *mocks = m_root->children[Mocks].get();
    syncChildren(mocks, listed(Type::Mock, now->imposters, ids.mocks()));
    for (std::size_t i = 0; i < now->imposters.size(); ++i) {
        if (mocks->children[i]->childrenOf == now->imposters[i])
            continue;
        mocks->children[i]->childrenOf = now->imposters[i];
        std::vector<Wanted> stubs;
        stubs.reserve(now->imposters[i]->stubs.size());
        for (const StubPtr &stub : now->imposters[i]->stubs)
            stubs.push_back({Type::Stub, stub->id, stub});
        syncChildren(mocks->children[i].get(), std::move(stubs));
    }
    syncChildren(m_root->children[Policies].get(), listed(Type::Policy, now->policies, ids.policies()));
    syncChildren(m_root->children[Scenarios].get(), listed(Type::Scenario, now->scenarios, ids.scenarios()));
}

void WorkspaceTreeModel::insertRange(Node *parent, std::size_t at, std::vector<Wanted> &wanted, std::size_t first,
                                     std::size_t last)
{
    beginInsertRows(indexFor(parent), static_cast<int>(at), static_cast<int>(at + last - first));
    std::vector<std::unique_ptr<Node>> fresh;
    for (std::size_t i = first; i <= last; ++i) {
        auto node = std::make_unique<Node>();
        node->type = wanted[i].type;
        node->id = wanted[i].id;
        node->parent = parent;
        node->thing = wanted[i].thing;
        fresh.push_back(std::move(node));
    }
    parent->children.insert(parent->children.begin() + static_cast<std::ptrdiff_t>(at),
                            std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    for (std::size_t i = at; i < parent->children.size(); ++i)
        parent->children[i]->row = static_cast<int>(i);
    endInsertRows();
}

// Three passes: what is gone leaves in ranges; what is new or stands elsewhere comes in, from the top; what changed its
// content is told. Persistent indexes follow each step, so views keep selection and expansion.
void WorkspaceTreeModel::syncChildren(Node *parent, std::vector<Wanted> wanted)
{
    auto &children = parent->children;
    std::unordered_map<quint64, std::size_t> place;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        place.emplace(wanted[i].id, i);
    removeGone(parent, place);
    std::unordered_set<quint64> present;
    for (const auto &child : children)
        present.insert(child->id);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i < children.size() && children[i]->id == wanted[i].id)
            continue;
        if (!present.contains(wanted[i].id)) {
            std::size_t last = i;
            while (last + 1 < wanted.size() && !present.contains(wanted[last + 1].id))
                ++last;
            insertRange(parent, i, wanted, i, last);
            i = last;
            continue;
        }
        // One moved down: move it itself rather than all the others up.
        std::size_t from = i;
        std::size_t to = i;
        if (i + 1 < children.size() && children[i + 1]->id == wanted[i].id) {
            to = std::min(place.at(children[i]->id), children.size() - 1);
        } else {
            while (children[from]->id != wanted[i].id)
                ++from;
        }
        if (from != to)
            moveChild(parent, from, to);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (children[i]->thing != wanted[i].thing) {
            children[i]->thing = wanted[i].thing;
            Q_EMIT dataChanged(indexFor(children[i].get(), Name), indexFor(children[i].get(), Detail));
        }
    }
}

void WorkspaceTreeModel::removeGone(Node *parent, const std::unordered_map<quint64, std::size_t> &wanted)
{
    auto &children = parent->children;
    const auto at = [&](std::size_t i) { return children.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t end = children.size(); end > 0;) {
        std::size_t begin = end;
        while (begin > 0 && !wanted.contains(children[begin - 1]->id))
            --begin;
        if (begin < end) {
            beginRemoveRows(indexFor(parent), static_cast<int>(begin), static_cast<int>(end - 1));
            children.erase(at(begin), at(end));
            for (std::size_t i = begin; i < children.size(); ++i)
                children[i]->row = static_cast<int>(i);
            endRemoveRows();
        }
        end = begin > 0 ? begin - 1 : 0;
    }
}

void WorkspaceTreeModel::moveChild(Node *parent, std::size_t from, std::size_t to)
{
    auto &children = parent->children;
    const auto at = [&](std::size_t i) { return children.begin() + static_cast<std::ptrdiff_t>(i); };
    beginMoveRows(indexFor(parent), static_cast<int>(from), static_cast<int>(from), indexFor(parent),
                  static_cast<int>(to > from ? to + 1 : to));
    if (to > from)
        std::rotate(at(from), at(from + 1), at(to + 1));
    else
        std::rotate(at(to), at(from), at(from + 1));
    for (std::size_t i = std::min(from, to); i < children.size(); ++i)
        children[i]->row = static_cast<int>(i);
    endMoveRows();
}

void WorkspaceTreeModel::changedStates()
{
    const QModelIndex mocks = groupIndex(Mocks);
    const int count = rowCount(mocks);
    if (count > 0)
        Q_EMIT dataChanged(index(0, Name, mocks), index(count - 1, Detail, mocks));
}

QModelIndex WorkspaceTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, nodeOf(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex WorkspaceTreeModel::parent(const QModelIndex &child) const
{
    const Node *node = nodeOf(child);
    return node->parent ? indexFor(node->parent) : QModelIndex();
}

int WorkspaceTreeModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->children.size());
}

int WorkspaceTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QString WorkspaceTreeModel::label(const Node &node) const
{
    const auto named = [](const std::string &name) { return name.empty() ? tr("(unnamed)") : qtext(name); };
    switch (node.type) {
    case Type::Group: {
        const QString names[] = {tr("Mocks"), tr("Policies"), tr("Scenarios"), tr("Runs")};
        return names[node.id];
    }
    case Type::Mock: return qtext(node.as<Imposter>().displayName());
    case Type::Stub: return qtext(stubLabel(node.as<Stub>()));
    case Type::Policy: return named(node.as<Policy>().name);
    case Type::Scenario: return named(node.as<Scenario>().name);
    case Type::Run: return runLabel(node.as<RunItem>());
    }
    return {};
}

QString WorkspaceTreeModel::accessibleText(const Node &node) const
{
    const QString text = label(node);
    if (node.type == Type::Stub && !node.as<Stub>().enabled)
        return tr("%1, switched off").arg(text);
    if (node.type != Type::Mock || !m_mocks)
        return text;
    const MockState state = m_mocks->state(node.id);
    if (state.running() && m_mocks->canRecord(node.id) && m_mocks->isRecording(node.id))
        return tr("%1, recording on port %2").arg(text).arg(state.port);
    if (state.running())
        return tr("%1, running on port %2").arg(text).arg(state.port);
    return state.state == MockState::State::Failed ? tr("%1, failed: %2").arg(text, state.error) : tr("%1, stopped").arg(text);
}

QVariant WorkspaceTreeModel::display(const Node &node, int column, int role) const
{
    if (column == Detail) {
        if (node.type != Type::Mock || role != Qt::DisplayRole)
            return {};
        const MockState state = m_mocks ? m_mocks->state(node.id) : MockState{};
        const quint16 port = state.running() ? state.port : node.as<Imposter>().port;
        const bool recording = state.running() && m_mocks->canRecord(node.id) && m_mocks->isRecording(node.id);
        const QString shown = port == 0 ? QString() : u":%1"_s.arg(port);
        return shown.isEmpty() ? QVariant() : QVariant(recording ? tr("rec %1").arg(shown) : shown);
    }
    if (role == Qt::EditRole) {
        switch (node.type) {
        case Type::Mock: return qtext(node.as<Imposter>().name);
        case Type::Stub: return qtext(node.as<Stub>().name);
        default: break;
        }
    }
    return label(node);
}

QVariant WorkspaceTreeModel::decoration(const Node &node) const
{
    switch (node.type) {
    case Type::Policy: return Theme::icon(u"policy"_s, Theme::Role::Muted);
    case Type::Scenario: return Theme::icon(u"scenario"_s, Theme::Role::Muted);
    case Type::Run: return Theme::icon(u"result"_s, Theme::Role::Muted);
    case Type::Mock: break;
    default: return {};
    }
    switch (m_mocks ? m_mocks->state(node.id).state : MockState::State::Stopped) {
    case MockState::State::Running: return Theme::icon(u"running"_s, Theme::Role::Good);
    case MockState::State::Failed: return Theme::icon(u"error"_s, Theme::Role::Bad);
    case MockState::State::Stopped: break;
    }
    return Theme::icon(u"stopped"_s, Theme::Role::Muted);
}

QVariant WorkspaceTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node &node = *nodeOf(index);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return display(node, index.column(), role);
    case Qt::DecorationRole: return index.column() == Name ? decoration(node) : QVariant();
    case Qt::ToolTipRole:
        if (node.type == Type::Run)
            return node.as<RunItem>().verdict.isEmpty() ? label(node) : node.as<RunItem>().verdict;
        return node.type == Type::Group ? QVariant() : QVariant(accessibleText(node));
    case Qt::AccessibleTextRole: return index.column() == Name ? QVariant(accessibleText(node)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Detail ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::FontRole:
        if (node.type == Type::Group) {
            QFont font;
            font.setWeight(QFont::DemiBold);
            return font;
        }
        return {};
    case Qt::ForegroundRole: {
        const bool off = node.type == Type::Stub && !node.as<Stub>().enabled;
        return off || index.column() == Detail ? QVariant(Theme::instance().color(Theme::Role::Muted)) : QVariant();
    }
    case MutedRole: return node.type == Type::Stub && !node.as<Stub>().enabled;
    case TypeRole: return static_cast<int>(node.type);
    case IdRole: return QVariant::fromValue(node.id);
    case StateRole: return node.type == Type::Mock && m_mocks ? static_cast<int>(m_mocks->state(node.id).state) : 0;
    case PathRole: return node.type == Type::Run ? QVariant(node.as<RunItem>().path) : QVariant();
    default: return {};
    }
}

bool WorkspaceTreeModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    const ItemRef ref = refAt(index);
    const json::Path path = m_document->pathOf(ref);
    if (role != Qt::EditRole || ref.isNull() || path.empty())
        return false;
    const std::string name = utf8(value.toString().trimmed());
    if (name.empty() && ref.kind != ItemKind::Stub)
        return false; // only a stub has a label without a name
    return m_document->edit(edits::rename(*m_document->workspace(), path, name));
}

Qt::ItemFlags WorkspaceTreeModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    const Type type = nodeOf(index)->type;
    if (type == Type::Group || type == Type::Mock)
        flags |= Qt::ItemIsDropEnabled;
    if (type != Type::Group && type != Type::Run)
        flags |= Qt::ItemIsDragEnabled | (index.column() == Name ? Qt::ItemIsEditable : Qt::NoItemFlags);
    if (type != Type::Group && type != Type::Mock)
        flags |= Qt::ItemNeverHasChildren;
    return flags;
}

} // namespace wardbench
