import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck, IconChecklist, IconDownload, IconSearch, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { download, refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, act, confirm, notify, useShortcut, withOverlay } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { runBulk, type BulkAction, type RowResult } from '#kit/web/list/bulk.tsx'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { NOTHING, everything, isSelected, selectedCount, type Selection } from '#kit/web/list/selection.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import listCss from '#kit/web/list/list.module.css'
import css from '../desk/desk.module.css'
import { changeCalls } from '../requests/request.contract.ts'
import { advisingCalls } from './advising.contract.ts'
import { adviseeColumns, type Advisee } from './lists.web.tsx'

const BulkDialog = part(async () => (await import('#kit/web/list/bulk-dialog.tsx')).default)

/** What an answer is weighed by stands before what is known of one's own students. */
const ORDER = ['name', 'waiting', 'gpa', 'hours', 'warnings', 'holds', 'passed_hours', 'level', 'program']
const COLUMNS = adviseeColumns(false).toSorted((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key))

const PER_PAGE = 50
/** How many students one request brings when all that match are chosen. */
const MOST = 500

/** The advisor's own students: who waits for an answer stands first, and is answered alone or with others. */
export default function MyAdvising() {
  const t = useT('registration')
  const tl = useT('kit-screens')
  const client = useQueryClient()
  const [query, setQuery] = useSearchParams()
  const waiting = query.get('waiting') !== 'false'
  const page = Math.max(1, Number(query.get('page')) || 1)
  const order_by = query.get('order_by') ?? undefined
  const order_direction = query.get('order_direction') === 'desc' ? ('desc' as const) : ('asc' as const)
  const [typed, setTyped] = useState(query.get('search') ?? '')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [work, setWork] = useState<{ total: number; done: number; results: readonly RowResult[] | null } | null>(null)
  const box = useRef<HTMLInputElement>(null)
  useShortcut('/', () => box.current?.focus(), t('search_students'))
  const asked = { search, waiting: String(waiting) as never, order_by, order_direction }
  const { data, error, refetch, isFetching } = useCall(
    advisingCalls.mine,
    { query: { ...asked, page, perPage: PER_PAGE } },
    { placeholderData: keepPreviousData, refetchInterval: 30_000 },
  )
  const rows = data?.data
  const count = data?.meta.count ?? 0
  const set = (change: Record<string, string | null>, keepSelection = false) => {
    if (!keepSelection) setSelection(NOTHING)
    const next = new URLSearchParams(query)
    for (const [key, value] of Object.entries(change)) {
      if (value === null) next.delete(key)
      else next.set(key, value)
    }
    setQuery(next, { replace: true })
  }
  const { send } = useChange()
  const accept = (id: number) => send(changeCalls.acceptAll, { body: { student_id: id } })
  const acceptOne = async (row: Advisee) => {
    const [count, name] = [row.waiting, nameOf(row)]
    await act({
      ask: { title: t('accept_of', { count, name }), action: t('accept') },
      go: () => accept(row.id),
      done: ({ done, failed }) => {
        notify.failed(failed)
        return done.length ? t('accepted_done', { count: done.length }) : null
      },
    })
    void refresh(client, '/registrations')
  }
  // Names of the chosen ones, kept from before: who has been answered stands in no list of those who wait.
  const names = useRef(new Map<number, string>())
  const selected = selectedCount(selection, count)
  const acceptChosen = async () => {
    if (!selected || work) return
    const chosen = (rows ?? []).filter((row) => isSelected(selection, row.id)).map((row) => nameOf(row))
    const whom = { count: selected, names: chosen }
    if (!(await confirm({ title: t('accept_for', { count: selected }), whom, heavy: true, action: t('accept') })))
      return
    setWork({ total: selected, done: 0, results: null })
    try {
      const ids = selection.all ? [] : [...selection.ids]
      const remember = (some: readonly Advisee[]) => some.forEach((row) => names.current.set(row.id, nameOf(row)))
      remember(rows ?? [])
      for (let at = 1; selection.all; at++) {
        const part = await send(advisingCalls.mine, { query: { ...asked, page: at, perPage: MOST } })
        remember(part.data)
        ids.push(...part.data.map((row) => row.id).filter((id) => isSelected(selection, id)))
        if (part.data.length < MOST) break
      }
      const action: BulkAction = { key: 'accept', label: '', each: accept }
      const results = await runBulk(action, ids, (done) => setWork({ total: ids.length, done, results: null }))
      setSelection(NOTHING)
      setWork({ total: ids.length, done: ids.length, results })
    } catch (problem) {
      setWork(null)
      notify.error(problem)
    }
    void refresh(client, '/registrations')
  }
  useShortcut('a', () => void acceptChosen(), selected ? t('accept_students', { count: selected }) : null)
  useShortcut('Escape', () => setSelection(NOTHING), selected ? tl('clear_selection') : null)
  const nobody = (
    <Empty
      title={t(search ? 'nothing_found' : waiting ? 'nobody_waits' : 'no_students')}
      text={search ? undefined : t(waiting ? 'nobody_waits_text' : 'no_students_text')}
      action={
        waiting && !search ? (
          <Button variant="default" onClick={() => set({ waiting: 'false' })}>
            {t('all_students')}
          </Button>
        ) : undefined
      }
    />
  )
  return (
    <Page
      wide
      title={t('my_advising')}
      subtitle={data ? t('students_count', { count }) : '\u00A0'}
      menu={
        <Menu.Item
          component={Link}
          leftSection={<IconChecklist size={15} />}
          to={`${to('/registration_preflight')}?filters=${encodeURIComponent(JSON.stringify({ blocked: true }))}`}
        >
          {t('preflight')}
        </Menu.Item>
      }
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() =>
            void withOverlay(download(advisingCalls.exportMine, { body: { lang: paperLanguageOf() } })).catch(
              notify.error,
            )
          }
        >
          {t('export')}
        </Button>
      }
    >
      {selected > 0 ? (
        <div
          className={`${listCss.bar} ${listCss.selected} ${css.chosenBar}`}
          role="toolbar"
          aria-label={tl('selection')}
        >
          <span className={listCss.selectedCount} aria-live="polite">
            {tl('selected', { count: selected })}
          </span>
          {!selection.all && count > (rows?.length ?? 0) && selected >= (rows?.length ?? 0) && (
            <Button variant="subtle" size="xs" onClick={() => setSelection(everything())}>
              {tl('select_all_matching', { count })}
            </Button>
          )}
          <span className={listCss.spring} />
          <Button size="xs" leftSection={<IconCheck size={14} aria-hidden />} onClick={() => void acceptChosen()}>
            {t('accept_students', { count: selected })}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={tl('clear_selection')}
            onClick={() => setSelection(NOTHING)}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ) : (
        <div className={css.tools}>
          <div className={listCss.tabs} role="tablist" aria-label={tl('views')}>
            {(['waiting', 'all'] as const).map((view) => (
              <button
                key={view}
                type="button"
                role="tab"
                className={listCss.view}
                aria-selected={waiting === (view === 'waiting')}
                onClick={() => set({ waiting: view === 'all' ? 'false' : null, page: null })}
              >
                {t(`${view}_students`)}
              </button>
            ))}
          </div>
          <TextInput
            ref={box}
            size="xs"
            className={css.search}
            leftSection={<IconSearch size={14} aria-hidden />}
            placeholder={t('search_students')}
            aria-label={t('search_students')}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              set({ page: null, search: event.currentTarget.value.trim() || null })
            }}
          />
        </div>
      )}
      <DataTable<Advisee>
        columns={COLUMNS}
        rows={error && !rows ? [] : rows}
        caption={t('my_advising')}
        busy={isFetching}
        sort={{ by: order_by ?? null, direction: order_direction }}
        onSort={(by, direction) => set({ order_by: by, order_direction: direction, page: null }, true)}
        selection={selection}
        onSelection={setSelection}
        rowHref={(row) => to('/advising/registration/:id', { id: row.id })}
        inlineWidth={110}
        inline={(row) =>
          row.waiting
            ? {
                key: 'accept',
                label: t('accept_all_count', { count: row.waiting }),
                short: t('accept_short', { count: row.waiting }),
                onSelect: () => void acceptOne(row),
              }
            : null
        }
        empty={nobody}
        error={error && !rows ? <Failed error={error} retry={() => void refetch()} /> : undefined}
        fill
      />
      {count > PER_PAGE && (
        <div className={css.pages}>
          <Button
            variant="default"
            size="xs"
            disabled={page === 1}
            onClick={() => set({ page: String(page - 1) }, true)}
          >
            {t('previous')}
          </Button>
          <Code>
            {formatNumber(page)} / {formatNumber(Math.ceil(count / PER_PAGE))}
          </Code>
          <Button
            variant="default"
            size="xs"
            disabled={page * PER_PAGE >= count}
            onClick={() => set({ page: String(page + 1) }, true)}
          >
            {t('next')}
          </Button>
        </div>
      )}
      <Suspense>
        {work && (
          <BulkDialog
            title={t('accept_students', { count: work.total })}
            total={work.total}
            done={work.done}
            results={work.results}
            nameOf={(id) => names.current.get(id) ?? `#${id}`}
            onClose={() => setWork(null)}
          />
        )}
      </Suspense>
    </Page>
  )
}
