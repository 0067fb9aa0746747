import { ActionIcon, Button, Kbd } from '@mantine/core'
import { IconArrowLeft, IconInbox, IconPlus, IconTable } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { refName } from '#kit/contract/resource.ts'
import type { Resource } from '#kit/contract/resource.ts'
import type { Label } from '#kit/contract/words.ts'
import type { Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import { useCall } from '../api/hooks.ts'
import { useMe } from '../auth/me.ts'
import { FactsOf } from '../detail/parts.tsx'
import { Empty, Failed } from '../feedback/problems.tsx'
import { useShortcut } from '../feedback/shortcuts.ts'
import { Code, Name } from '../feedback/words.tsx'
import { callsOf } from '../fields/calls-of.ts'
import type { ResourceWeb } from '../fields/resource-web.ts'
import { useLabel, useT } from '../i18n/catalogue.ts'
import { formatAgo, formatDate, formatInstant, nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { MainButton, MenuItems } from '../list/main-button.tsx'
import ResourceList from '../list/resource-list.tsx'
import { fillPath } from '../router/index.ts'
import { Bone, Card, Stack } from '../shell/card.tsx'
import { Page } from '../shell/page.tsx'
import { StateBadge, StepHistory, StepLine } from './history.tsx'
import { PER_PAGE, holderOf, personOf, useInbox } from './use-inbox.ts'
import type { Asked, Read, Taken } from './use-inbox.ts'
import css from './inbox.module.css'

type Says = (row: Asked) => ReactNode

/**
 * What one of the own requests is called: from what, of which record, and the days it is about; else the day on which it was
 * asked for. The minute of asking tells nobody which one it is.
 */
function calledOwn(r: Resource, row: Asked, say: (label: Label) => string): string {
  const { kind, of, days } = partsOfOwn(r, row, say)
  const when = [...new Set(days.length ? days : [dayOf(row.created_at)])].map((day) => formatDate(day))
  return [...kind.slice(0, 1), ...of.slice(0, 1), when.join(' – ')].join(' · ')
}

/** What names an own request: the record that it is about, what kind it is, and its days. */
function partsOfOwn(r: Resource, row: Asked, say: (label: Label) => string) {
  const fields = Object.entries(r.fields).filter(
    ([name, { to }]) =>
      name !== holderOf(r) && name !== r.otherHolder && name !== (r.flow as Workflow).field && to !== 'term',
  )
  return {
    kind: fields.flatMap(([name, { choices }]) => {
      // In which language a paper is written is no kind of it.
      const chosen = name === 'lang' ? undefined : choices?.find(({ value }) => value === row[name])
      return chosen ? [say(chosen.label)] : []
    }),
    of: fields.flatMap(([name, field]) =>
      field.kind === 'lookup' && row[refName(name)] ? [nameOf(row[refName(name)] as Named)] : [],
    ),
    days: fields.flatMap(([name, field]) =>
      field.kind === 'date' && !field.readOnly && row[name] ? [String(row[name])] : [],
    ),
  }
}

/** Letters that go, search, open and help everywhere. */
const TAKEN = new Set(['j', 'k', 'g', 'n', 'e', 'x'])

/** One key for each action: the first free letter of its name. */
function keysFor(flow: Workflow): ReadonlyMap<string, string> {
  const used = new Set(TAKEN)
  return new Map(
    Object.keys(flow.actions).flatMap((action) => {
      const key = [...action].find((letter) => !used.has(letter))
      if (!key) return []
      used.add(key)
      return [[action, key] as const]
    }),
  )
}

/**
 * Requests before the eyes of who decides: those that wait at the start side, one of them in full at the end side; `j` and
 * `k` go, each action has a key, and the next one opens by itself. Who asks sees the own ones, where each stands and who
 * has it. `own`: only those, though the reader decides on others elsewhere.
 */
export default function Inbox({ web, own = false }: { web: ResourceWeb; own?: boolean }) {
  const t = useT('kit-screens')
  const say = useLabel()
  const me = useMe()
  const read = useInbox(web, own)
  const { r, query, setQuery, set, decides, waiting, asked, rows, count, given, open, choose, taken, decide } = read
  const may = (permission: typeof r.permissions.add) => permission !== null && me.may(permission)
  const add =
    r.screens.add && may(r.permissions.add)
      ? { key: 'add', label: say(r.adding), icon: <IconPlus size={16} aria-hidden />, href: fillPath(r.screens.add) }
      : null
  if (query.get('as') === 'table' && decides) return <AsTable web={web} read={read} />
  return (
    <Page
      title={say(r.many)}
      // Of none it is said in place of the rows.
      subtitle={asked.data && count > 0 ? t(waiting ? 'requests_wait' : 'count', { count }) : '\u00A0'}
      action={add && <MainButton action={add} />}
      menu={
        decides ? (
          <MenuItems
            actions={[
              {
                key: 'table',
                label: t('as_table'),
                icon: <IconTable size={15} aria-hidden />,
                onSelect: () => setQuery({ as: 'table' }),
              },
            ]}
          />
        ) : undefined
      }
    >
      {decides && (
        <div className={css.views} role="tablist" aria-label={say(r.many)}>
          {([true, false] as const).map((wait) => (
            <button
              key={String(wait)}
              type="button"
              role="tab"
              aria-selected={waiting === wait}
              onClick={() => set({ view: wait ? null : 'all', id: null, page: null })}
            >
              {t(wait ? 'view_waiting' : 'view_all')}
            </button>
          ))}
        </div>
      )}
      {asked.error && !rows ? (
        <Failed error={asked.error} retry={() => void asked.refetch()} />
      ) : rows?.length === 0 && open === null ? (
        <Empty
          icon={<IconInbox size={28} stroke={1.5} aria-hidden />}
          title={t(waiting ? 'nothing_waits' : 'empty_list')}
          text={waiting ? t('nothing_waits_text') : add && !decides ? t('empty_list_text') : undefined}
        />
      ) : (
        <div className={css.inbox} data-open={given !== null || undefined}>
          <Start web={web} read={read} />
          <div className={css.end}>
            {open !== null && (
              <One key={open} web={web} id={open} decides={decides} steps={taken} decide={decide} choose={choose} />
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

/** The same as a table, for many at once. */
function AsTable({ web, read: { r, taken, setQuery } }: { web: ResourceWeb; read: Read }) {
  const t = useT('kit-screens')
  const l = useLanguage()
  const nameIn = (row: Named) => nameOf(row, l)
  return (
    <ResourceList
      web={{
        ...web,
        list: {
          // oxlint-disable-next-line react/hooks -- they are those of this screen
          useParts: () => ({
            actions: taken.actions,
            bulk: taken.bulk,
            menu: [
              {
                key: 'inbox',
                label: t('as_inbox'),
                icon: <IconInbox size={15} aria-hidden />,
                onSelect: () => setQuery({}),
              },
            ],
          }),
          rowHref: (row: Asked) => `${r.path}?id=${row.id}`,
          rowName: (row: Asked) => (personOf(r, row) ? nameIn(personOf(r, row)!) : ''),
        },
      }}
    />
  )
}

/** Those that wait, or all, a page at a time. */
function Start({ web, read }: { web: ResourceWeb; read: Read }) {
  const t = useT('kit-screens')
  const say = useLabel()
  const { r, flow, set, decides, waiting, page, rows, count, open, list, choose } = read
  const what: Says = (row) => (web.what as Says | undefined)?.(row) ?? String(row.why ?? '')
  return (
    <div className={css.start}>
      {rows ? (
        <ul ref={list} className={css.list} aria-label={say(r.many)}>
          {rows.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                data-id={row.id}
                aria-current={row.id === open || undefined}
                onClick={() => choose(row.id)}
              >
                <span className={css.who}>
                  {decides ? <Name row={personOf(r, row)} /> : <bdi>{calledOwn(r, row, say)}</bdi>}
                  <small>{formatAgo(row.created_at)}</small>
                </span>
                <span className={css.what}>
                  <span dir="auto">{what(row)}</span>
                  {!waiting && <StateBadge flow={flow} state={String(row[flow.field])} />}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <Bone height={320} />
      )}
      {count > PER_PAGE && (
        <div className={css.pages}>
          <Button
            variant="default"
            size="xs"
            disabled={page === 1}
            onClick={() => set({ page: String(page - 1), id: null })}
          >
            {t('previous_page')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={page * PER_PAGE >= count}
            onClick={() => set({ page: String(page + 1), id: null })}
          >
            {t('next_page')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** One request in full: who asks what and why, where it stands, what may be done, and what was before. */
function One({
  web,
  id,
  decides,
  steps,
  decide,
  choose,
}: {
  web: ResourceWeb
  id: number
  decides: boolean
  steps: Taken
  decide: (row: Asked, action: string) => Promise<void>
  choose: (id: number | null) => void
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const { resource: r } = web
  const flow = r.flow as Workflow
  const calls = callsOf(r)
  const { Beneath, Here } = web
  const { data, error, refetch } = useCall(calls.get!, { params: { id } })
  const row = data?.data as unknown as Asked | undefined
  const keys = keysFor(flow)
  const back = (
    <ActionIcon
      className={css.back}
      variant="default"
      size={36}
      aria-label={t('back_to_list')}
      onClick={() => choose(null)}
    >
      <IconArrowLeft size={18} className="pointing" aria-hidden />
    </ActionIcon>
  )
  if (error && !row)
    return (
      <>
        {back}
        <Failed error={error} retry={() => void refetch()} />
      </>
    )
  if (!row) return <Bone height={420} />
  const state = String(row[flow.field])
  const beneath = typeof web.takenBeneath === 'function' ? web.takenBeneath(row as never) : web.takenBeneath
  const possible = steps.actions(row).filter(({ key }) => !beneath?.includes(key))
  // Who decides on it does not take it back for who asked.
  const deciding = possible.filter(({ key }) => !flow.actions[key]?.byOwner)
  const actions = decides && deciding.length ? deciding : possible
  const own = Object.keys(r.fields).filter(
    (name) =>
      ![holderOf(r), flow.field, 'why', 'created_at'].includes(name) && (web.tells?.(row as never, name) ?? true),
  )
  return (
    <Stack>
      <Card
        title={
          <span className={css.title}>
            {back}
            {decides ? <Name row={personOf(r, row)} /> : <bdi>{partsOfOwn(r, row, say).of[0] ?? say(r.one)}</bdi>}
          </span>
        }
        aside={<StateBadge flow={flow} state={state} />}
      >
        <p className={css.facts}>
          {decides && personOf(r, row)?.code && <Code>{personOf(r, row)!.code}</Code>}
          <span>{formatInstant(row.created_at)}</span>
        </p>
        {row.why != null && (
          <p className={css.why} dir="auto">
            {String(row.why)}
          </p>
        )}
        {own.length > 0 && <FactsOf fields={r.fields} row={row} names={own} cells={web.cells} />}
        <div className={css.way}>
          <StepLine
            flow={flow}
            calls={r.steps as WorkflowCalls}
            id={id}
            state={state}
            here={Here && <Here row={row as never} />}
          />
        </div>
        {actions.length > 0 && (
          <div className={css.actions}>
            {actions.map(({ key, label, disabled, onSelect }, i) => (
              <Action
                key={key}
                label={label}
                letter={onSelect ? keys.get(key) : undefined}
                main={i === 0 && decides && flow.actions[key]?.tone !== 'refused'}
                refuses={flow.actions[key]?.tone === 'refused'}
                disabled={disabled}
                go={() => void decide(row, key)}
              />
            ))}
          </div>
        )}
      </Card>
      {Beneath && <Beneath row={row as never} />}
      <Card title={t('steps')}>
        <StepHistory flow={flow} calls={r.steps as WorkflowCalls} id={id} />
      </Card>
      {decides && <Earlier web={web} row={row} choose={choose} />}
    </Stack>
  )
}

/** A button with its key; where it cannot be done, the reason stands beside it. */
function Action({
  label,
  letter,
  main,
  refuses,
  disabled,
  go,
}: {
  label: string
  letter: string | undefined
  main: boolean
  refuses: boolean
  disabled: string | undefined
  go: () => void
}) {
  useShortcut(letter ?? '', go, letter ? label : null)
  return (
    <>
      <Button
        variant={main ? 'filled' : 'default'}
        color={refuses ? 'red' : undefined}
        disabled={disabled !== undefined}
        onClick={go}
        rightSection={
          letter && (
            <Kbd size="xs" className={css.key} aria-hidden>
              {letter.toUpperCase()}
            </Kbd>
          )
        }
      >
        {label}
      </Button>
      {disabled !== undefined && <small className={css.not}>{disabled}</small>}
    </>
  )
}

const EARLIER = 6
/** What the same person asked for before, and what became of it. */
function Earlier({ web, row, choose }: { web: ResourceWeb; row: Asked; choose: (id: number) => void }) {
  const t = useT('kit-screens')
  const kit = useT('kit')
  const { resource: r } = web
  const { data } = useCall(callsOf(r).list!, {
    body: {
      page: 1,
      perPage: EARLIER + 1,
      order_by: 'created_at',
      order_direction: 'desc',
      filters: { [holderOf(r)]: row[holderOf(r)] },
    } as never,
  })
  const others = ((data?.data ?? []) as unknown as readonly Asked[]).filter(({ id }) => id !== row.id).slice(0, EARLIER)
  if (!others.length) return null
  const more = (data?.meta.count ?? 0) - 1 - others.length
  return (
    <Card title={t('earlier_requests')}>
      <ul className={css.earlier}>
        {others.map((other) => (
          <li key={other.id}>
            <button type="button" onClick={() => choose(other.id)}>
              <span dir="auto">{String(other.why ?? '')}</span>
              <small>{formatInstant(other.created_at)}</small>
            </button>
            <StateBadge flow={r.flow as Workflow} state={String(other[(r.flow as Workflow).field])} />
          </li>
        ))}
        {more > 0 && <li>{kit('and_more', { count: more })}</li>}
      </ul>
    </Card>
  )
}
