import { ActionIcon, Button, Menu, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { keyOf, refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { ApiError } from '#kit/web/api/error.ts'
import { may } from '#kit/web/auth/index.ts'
import { Empty, Failed, Problems, confirm, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, nameOf, problemText, useLanguage, useT, type Named } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, useParams, useUnsaved } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { sameTree } from './compare.rules.ts'
import { dropped, freeKey, indented, inserted, outdented, removed, replaced, stepped, type Line } from './edit.rules.ts'
import { LiveState, LiveStudent, TouchedBy, useLiveAudit } from './live.web.tsx'
import { RequirementForm } from './requirement-form.web.tsx'
import css from './requirements.module.css'
import { Revisions } from './revisions.web.tsx'
import { namesFrom, useSentences } from './sentences.web.ts'
import { storedCalls, type RequirementOwner, type StoredRequirements } from './stored.contract.ts'
import type { Edit } from './touched.contract.ts'
import { RequirementTree, type Action } from './tree.web.tsx'
import { walk, type Requirement, type TreeMode } from './tree.rules.ts'

/** What is edited, and the way back. */
interface Draft {
  readonly mode: TreeMode
  readonly tree: Requirement | null
}
interface Kept {
  readonly past: readonly Draft[]
  readonly now: Draft
  readonly future: readonly Draft[]
  /** What the last change was: the next letter in the same field is undone together with it. */
  readonly last: string | null
}
const STEPS_KEPT = 200

function useDraft(stored: StoredRequirements) {
  const saved = useMemo<Draft>(() => ({ mode: stored.mode, tree: stored.tree }), [stored])
  const [kept, setKept] = useState<Kept>({ past: [], now: saved, future: [], last: null })
  const change = (next: Partial<Draft>, what: string | null = null) =>
    setKept(({ past, now, last }) => ({
      past: what !== null && what === last ? past : [...past, now].slice(-STEPS_KEPT),
      now: { ...now, ...next },
      future: [],
      last: what,
    }))
  const undo = () =>
    setKept((all) => {
      const before = all.past.at(-1)
      return before ? { past: all.past.slice(0, -1), now: before, future: [all.now, ...all.future], last: null } : all
    })
  const redo = () =>
    setKept((all) => {
      const [after, ...future] = all.future
      return after ? { past: [...all.past, all.now], now: after, future, last: null } : all
    })
  return {
    draft: kept.now,
    changed: kept.now.mode !== saved.mode || !sameTree(kept.now.tree, saved.tree),
    change,
    undo,
    redo,
    canUndo: kept.past.length > 0,
    canRedo: kept.future.length > 0,
    reset: (to: Draft = saved) => setKept({ past: [], now: to, future: [], last: null }),
  }
}

/** Nothing is changed. */
const NOTHING: Edit = {}

/** Whether a draft can be looked at by the server: everything has its names. */
const named = (tree: Requirement | null): boolean =>
  tree === null || [...walk(tree)].every(([, one]) => one.name.trim() !== '' && one.name_local.trim() !== '')

function Editor({ stored, onRevisions }: { stored: StoredRequirements; onRevisions: () => void }) {
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
  const [looked] = useDebouncedValue(draft, 400)
  const checks = changed && named(looked.tree) && looked.tree !== null
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
  const [student, setStudent] = useState<number | null>(null)
  const live = useLiveAudit(params, student, changed ? edit : NOTHING)
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
  const made = (line: Line, action: Action): Requirement | null => {
    if (!tree) return null
    if (action === 'up' || action === 'down') return stepped(tree, line.key, action === 'up' ? -1 : 1)
    if (action === 'in') return indented(tree, line.key)
    if (action === 'out') return outdented(tree, line.key)
    return removed(tree, line.key)
  }
  const can = (line: Line, action: Action): boolean =>
    action === 'edit' ||
    (action === 'add'
      ? line.above !== null
      : action === 'add_inside'
        ? 'parts' in line.one
        : made(line, action) !== null)
  const act = (line: Line, action: Action) => {
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
  const opened = tree && open !== null ? [...walk(tree)].find(([, one]) => one.key === open)?.[1] : undefined
  const overtaken = problem instanceof ApiError && problem.errors.some((one) => one.code === 'requirements_changed')

  return (
    <div className={css.bench} data-side={tree !== null || undefined}>
      <Stack>
        <Card
          title={t('requirements')}
          text={stored.of === 'program' ? t('of_program_text') : t('of_bylaw_text')}
          changed={changed}
          aside={
            edits && (
              <span className={css.tools}>
                <ActionIcon variant="subtle" color="gray" aria-label={t('undo')} disabled={!canUndo} onClick={back}>
                  <IconArrowBackUp size={18} className="pointing" aria-hidden />
                </ActionIcon>
                <ActionIcon variant="subtle" color="gray" aria-label={t('redo')} disabled={!canRedo} onClick={again}>
                  <IconArrowForwardUp size={18} className="pointing" aria-hidden />
                </ActionIcon>
              </span>
            )
          }
        >
          {tree && (
            <div className={css.top}>
              <SegmentedControl
                aria-label={t('mode')}
                value={draft.mode}
                disabled={!edits}
                onChange={(mode) => change({ mode: mode })}
                data={[
                  { value: 'adds', label: t('mode_adds') },
                  { value: 'replaces', label: t('mode_replaces') },
                ]}
              />
            </div>
          )}
          {tree ? (
            <RequirementTree
              tree={tree}
              label={t('requirements')}
              say={say}
              at={at}
              onAt={setAt}
              folded={folded}
              onFold={(key, fold) => setFolded(fold ? new Set(folded).add(key) : without(folded, key))}
              open={open}
              problems={problems}
              aside={student === null ? undefined : (one) => <LiveState audit={live.byKey.get(one.key)} />}
              form={
                opened && (
                  <RequirementForm
                    key={opened.key}
                    one={opened}
                    root={opened === tree}
                    onChange={(next, field) => setTree(replaced(tree, opened.key, next), `${opened.key} ${field}`)}
                    onDone={() => {
                      setOpen(null)
                      requestAnimationFrame(() =>
                        document.querySelector<HTMLElement>(`[data-key="${CSS.escape(opened.key)}"]`)?.focus(),
                      )
                    }}
                    choices={{
                      names,
                      pools: stored.names.pools,
                      requirements: [...walk(tree)].map(([, one]) => one),
                      note: (key, name) => setNoted((all) => new Map(all).set(key, name)),
                    }}
                  />
                )
              }
              {...(edits && {
                edit: {
                  act,
                  can,
                  drop: (lines: readonly Line[], from: number, to: number) => {
                    const next = dropped(tree, lines, from, to)
                    if (!next) return
                    setTree(next)
                    setAt(lines[from]!.key)
                    setSaid(t('said_moved', { name: nameAt(lines[from]!.key) }))
                  },
                  undo: back,
                  redo: again,
                },
              })}
            />
          ) : (
            <Empty
              title={t('no_requirements')}
              text={stored.of === 'program' ? t('no_requirements_program') : t('no_requirements_bylaw')}
              action={
                edits && (
                  <Button
                    leftSection={<IconPlus size={16} aria-hidden />}
                    onClick={() => {
                      const root = fresh(null, 'all')
                      const first = { ...fresh(root, 'courses') }
                      setTree(inserted(root, root.key, 0, first))
                      setAt(first.key)
                      setOpen(first.key)
                    }}
                  >
                    {t('begin')}
                  </Button>
                )
              }
            />
          )}
          {edits && tree && (
            <>
              <Button
                mt={8}
                variant="subtle"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => add(tree.key, 'parts' in tree ? tree.parts.length : 0)}
                disabled={!('parts' in tree)}
              >
                {t('add_requirement')}
              </Button>
              <p className={css.keys}>{t('keys')}</p>
            </>
          )}
          <output className={css.hidden} aria-live="polite">
            {said}
          </output>
        </Card>
        {changed && <TouchedBy params={params} edit={edit} />}
        {edits && (changed || busy) && (
          <section className={`${css.bar} no-print`} data-save-bar aria-label={t('unsaved')}>
            {problem !== null && (
              <div className={css.wide}>
                <Problems error={problem} title={t('not_saved')} />
                {overtaken && (
                  <Button
                    variant="default"
                    onClick={() => {
                      forget()
                      void refresh(client, '/requirement-trees')
                      onRevisions()
                    }}
                  >
                    {t('see_theirs')}
                  </Button>
                )}
              </div>
            )}
            <TextInput
              className={css.barText}
              aria-label={t('reason')}
              placeholder={t('reason')}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Button variant="default" disabled={busy} onClick={() => (reset(), forget(), setOpen(null))}>
              {t('discard')}
            </Button>
            <Button loading={busy} disabled={!named(tree)} onClick={() => void save()}>
              {t('save')}
            </Button>
          </section>
        )}
      </Stack>
      {tree && may('show_student_record') && (
        <aside className={css.side}>
          <LiveStudent params={params} onStudent={setStudent} live={live} />
        </aside>
      )}
    </div>
  )
}

const without = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const rest = new Set(set)
  rest.delete(key)
  return rest
}
const siblingBefore = (tree: Requirement, line: Line): string => {
  const above = [...walk(tree)].find(([, one]) => one.key === line.above)?.[1]
  return above && 'parts' in above ? (above.parts[line.index - 1]?.key ?? above.key) : tree.key
}

/** The screen of a program or a bylaw. */
export function RequirementsOf({ of }: { of: RequirementOwner }) {
  const id = Number(useParams().id)
  const t = useT('degree-audit')
  const lang = useLanguage()
  const params = { of, id }
  const { data, error, refetch } = useCall(storedCalls.requirementTree, { params })
  const [revisions, setRevisions] = useState(false)
  const { send } = useChange('/requirement-trees')
  const [drawn, setDrawn] = useState(0)
  const stored = data?.data
  if (error && !stored) {
    return (
      <Page title={t('requirements')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  const clear = () =>
    void confirm({
      title: t('clear_title'),
      consequence: t('clear_text'),
      action: t('clear'),
      danger: true,
      go: () =>
        send(storedCalls.saveRequirementTree, { params, body: { revision: stored!.last, mode: 'adds', tree: null } }),
    }).then((done) => done && setDrawn((n) => n + 1))
  return (
    <Page
      title={stored?.owner ?? null}
      subtitle={
        stored ? (
          <Dotted>
            <span>{t('requirements')}</span>
            {stored.revision > 0 && <span>{t('revision_number', { revision: stored.revision })}</span>}
            {stored.by && <bdi>{nameOf(stored.by, lang)}</bdi>}
            {stored.at && <span>{formatInstant(stored.at, lang)}</span>}
            {stored.bylaw && (
              <span>
                {t('bylaw_too', { name: nameOf(stored.bylaw.owner, lang), count: stored.bylaw.requirements })}
              </span>
            )}
          </Dotted>
        ) : (
          '\u00A0'
        )
      }
      menu={
        stored && (
          <>
            <Menu.Item leftSection={<IconHistory size={15} aria-hidden />} onClick={() => setRevisions(true)}>
              {t('revisions')}
            </Menu.Item>
            {stored.abilities.includes('edit') && stored.tree && (
              <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={clear}>
                {t('clear')}
              </Menu.Item>
            )}
          </>
        )
      }
    >
      {stored ? (
        <Editor key={`${stored.of} ${id} ${drawn}`} stored={stored} onRevisions={() => setRevisions(true)} />
      ) : (
        <Bone height={360} />
      )}
      {stored && (
        <Modal opened={revisions} onClose={() => setRevisions(false)} title={t('revisions')} size="lg">
          {revisions && (
            <Revisions
              stored={stored}
              onRestored={() => {
                setRevisions(false)
                setDrawn((n) => n + 1)
              }}
            />
          )}
        </Modal>
      )}
    </Page>
  )
}
