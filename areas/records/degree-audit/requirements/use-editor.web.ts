import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { keyOf, useCall, useChange } from '#kit/web/api/index.ts'
import { ApiError } from '#kit/web/api/error.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { nameOf, problemText, useLanguage, useT, type Named } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, useUnsaved } from '#kit/web/router/index.ts'
import {
  dropped,
  freeKey,
  indented,
  inserted,
  outdented,
  removed,
  stepped,
  type RequirementLine,
} from './edit.rules.ts'
import { useLiveAudit } from './live.web.tsx'
import { namesFrom, useSentences } from './sentences.web.ts'
import { storedCalls, type RequirementOwner, type StoredRequirements } from './stored.contract.ts'
import type { Edit } from './touched.contract.ts'
import type { TreeAction } from './tree.web.tsx'
import { walk, type Requirement } from './tree.rules.ts'
import { isNamed, useDraft, type RequirementDraft } from './use-draft.web.ts'

/** Nothing is changed. */
const NOTHING: Edit = {}

const without = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const rest = new Set(set)
  rest.delete(key)
  return rest
}
const siblingBefore = (tree: Requirement, line: RequirementLine): string => {
  const above = [...walk(tree)].find(([, one]) => one.key === line.above)?.[1]
  return above && 'parts' in above ? (above.parts[line.index - 1]?.key ?? above.key) : tree.key
}

/** What the server says of a draft while it is edited: whether it is sound, and what is wrong with which requirement. */
function useChecked(
  params: { of: RequirementOwner; id: number },
  draft: RequirementDraft,
  changed: boolean,
  problem: unknown,
) {
  const lang = useLanguage()
  const { tree } = draft
  const [looked] = useDebouncedValue(draft, 400)
  const checks = changed && isNamed(looked.tree) && looked.tree !== null
  const check = useCall(
    storedCalls.checkRequirementTree,
    { params, body: { tree: looked.tree! } },
    { enabled: checks, placeholderData: keepPreviousData },
  )
  const sound = checks && check.data?.data.problems.length === 0
  const edit = useMemo<Edit | null>(
    () => (sound || looked.tree === null ? { requirements: looked } : null),
    [sound, looked],
  )
  const problems = useMemo(() => {
    const places = new Map<string, string[]>()
    const found = problem instanceof ApiError ? problem.errors : checks ? (check.data?.data.problems ?? []) : []
    const lines = tree ? [...walk(tree)].map(([place]) => place) : []
    for (const one of found) {
      const field = (one.field ?? '').replace(/^(body\.)?tree\.?/, '')
      const place = lines
        .filter((p) => p === '' || field === p || field.startsWith(`${p}.`))
        .toSorted((a, b) => b.length - a.length)[0]
      if (place === undefined) continue
      places.set(place, [...(places.get(place) ?? []), problemText(one, lang)])
    }
    return places
  }, [problem, checks, check.data, tree, lang])
  return { edit, problems }
}

/** Requirements being edited: what is open, what is done with the tree, and what the server says of it. */
export function useRequirementEditor(stored: StoredRequirements) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const client = useQueryClient()
  const params = { of: stored.of, id: stored.owner.id }
  const { draft, changed, change, undo, redo, canUndo, canRedo, reset } = useDraft(stored)
  const { busy, problem, go, send, forget } = useChange()
  useUnsaved(changed)
  const edits = stored.abilities.includes('edit')
  const [at, setAt] = useState(stored.tree?.key ?? '')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<string | null>(null)
  const [noted, setNoted] = useState<ReadonlyMap<string, Named>>(new Map())
  const [said, setSaid] = useState('')
  const [reason, setReason] = useState('')
  const { tree } = draft
  const names = useMemo(() => {
    const all = new Map([...namesFrom(stored.names), ...noted])
    if (tree) for (const [, one] of walk(tree)) all.set(`requirement:${one.key}`, one)
    return all
  }, [stored.names, noted, tree])
  const say = useSentences(names)
  const [student, setStudent] = useState<number | null>(null)
  const { edit, problems } = useChecked(params, draft, changed, problem)
  const live = useLiveAudit(params, student, changed ? edit : NOTHING)

  const nameAt = (key: string) => {
    const one = tree && [...walk(tree)].find(([, part]) => part.key === key)?.[1]
    return one ? nameOf(one, lang) || t('unnamed') : ''
  }
  const setTree = (next: Requirement | null, what: string | null = null) => {
    forget()
    change({ tree: next }, what)
  }
  const fresh = (inTree: Requirement | null, kind: 'all' | 'courses'): Requirement => {
    const key = inTree ? freeKey(inTree) : 'degree'
    return kind === 'all'
      ? { kind, key, name: stored.owner.name, name_local: stored.owner.name_local ?? stored.owner.name, parts: [] }
      : { kind, key, name: '', name_local: '', unit: 'hours', min: 3, from: [] }
  }
  const add = (into: string, index: number) => {
    if (!tree) return
    const one = fresh(tree, 'courses')
    const next = inserted(tree, into, index, one)
    if (!next) return
    setTree(next)
    setFolded(without(folded, into))
    setAt(one.key)
    setOpen(one.key)
    setSaid(t('said_added'))
  }
  const made = (line: RequirementLine, action: TreeAction): Requirement | null => {
    if (!tree) return null
    if (action === 'up' || action === 'down') return stepped(tree, line.key, action === 'up' ? -1 : 1)
    if (action === 'in') return indented(tree, line.key)
    if (action === 'out') return outdented(tree, line.key)
    return removed(tree, line.key)
  }
  const can = (line: RequirementLine, action: TreeAction): boolean =>
    action === 'edit' ||
    (action === 'add'
      ? line.above !== null
      : action === 'add_inside'
        ? 'parts' in line.one
        : made(line, action) !== null)
  const act = (line: RequirementLine, action: TreeAction) => {
    if (!can(line, action)) return
    if (action === 'edit') return setOpen(open === line.key ? null : line.key)
    if (action === 'add') return add(line.above!, line.index + 1)
    if (action === 'add_inside') return add(line.key, 'parts' in line.one ? line.one.parts.length : 0)
    const next = made(line, action)
    if (!next) return
    if (action === 'remove') {
      setAt(line.index > 0 ? siblingBefore(next, line) : line.above!)
      setOpen(null)
    } else {
      const above = [...walk(next)].find(([, one]) => 'parts' in one && one.parts.some((part) => part.key === line.key))
      if (above) setFolded(without(folded, above[1].key))
    }
    setTree(next)
    setSaid(t(`said_${action}`, { name: nameAt(line.key) }))
  }
  const drop = (lines: readonly RequirementLine[], from: number, to: number) => {
    const next = tree && dropped(tree, lines, from, to)
    if (!next) return
    setTree(next)
    setAt(lines[from]!.key)
    setSaid(t('said_moved', { name: nameAt(lines[from]!.key) }))
  }
  /** The first requirement of a tree that is empty yet. */
  const begin = () => {
    const root = fresh(null, 'all')
    const first = { ...fresh(root, 'courses') }
    setTree(inserted(root, root.key, 0, first))
    setAt(first.key)
    setOpen(first.key)
  }
  const discard = () => {
    reset()
    forget()
    setOpen(null)
  }
  const back = () => {
    undo()
    setOpen(null)
    setSaid(t('said_undone'))
  }
  const again = () => {
    redo()
    setOpen(null)
    setSaid(t('said_redone'))
  }
  const save = async () => {
    const done = await go(() =>
      send(storedCalls.saveRequirementTree, {
        params,
        body: { revision: stored.last, ...draft, reason: reason.trim() || null },
      }),
    )
    if (!done) return
    forgetUnsaved()
    reset({ mode: done.answer.data.mode, tree: done.answer.data.tree })
    client.setQueryData(keyOf(storedCalls.requirementTree, { params }), done.answer)
    void client.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/requirement-trees/{of}/{id}/'),
    })
    setReason('')
    setOpen(null)
    notify.done(t('saved_as', { revision: done.answer.data.revision }))
  }
  return {
    params,
    stored,
    edits,
    draft,
    tree,
    changed,
    change,
    setTree,
    canUndo,
    canRedo,
    back,
    again,
    busy,
    problem,
    forget,
    save,
    discard,
    reason,
    setReason,
    at,
    setAt,
    folded,
    fold: (key: string, fold: boolean) => setFolded(fold ? new Set(folded).add(key) : without(folded, key)),
    open,
    setOpen,
    names,
    note: (key: string, name: Named) => setNoted((all) => new Map(all).set(key, name)),
    say,
    said,
    edit,
    problems,
    student,
    setStudent,
    live,
    add,
    act,
    can,
    drop,
    begin,
  }
}
export type RequirementEditor = ReturnType<typeof useRequirementEditor>
