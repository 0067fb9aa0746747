import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { IconCheck, IconChecklist, IconDownload, IconSearch, IconX } from '@tabler/icons-react'
import { Suspense, useRef } from 'react'
import { download } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, notify, useShortcut, withOverlay } from '#kit/web/feedback/index.ts'
import { formatNumber, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { NOTHING, everything } from '#kit/web/list/selection.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import listCss from '#kit/web/list/list.module.css'
import css from '../desk/desk.module.css'
import { advisingCalls } from './advising.contract.ts'
import { adviseeColumns, type Advisee } from './lists.web.tsx'
import { STUDENTS_PER_PAGE, useMyAdvising, type MyAdvisingState } from './use-my-advising.web.ts'

const BulkDialog = part(async () => (await import('#kit/web/list/bulk-dialog.tsx')).default)

/** What an answer is weighed by stands before what is known of one's own students. */
const ORDER = ['name', 'waiting', 'gpa', 'hours', 'warnings', 'holds', 'passed_hours', 'level', 'program']
const COLUMNS = adviseeColumns(false).toSorted((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key))

/** The advisor's own students: who waits for an answer stands first, and is answered alone or with others. */
export default function MyAdvising() {
  const t = useT('registration')
  const advising = useMyAdvising()
  const { waiting, at_risk, order_by, order_direction, search, selection, setSelection, work, data, error, refetch } =
    advising
  const { isFetching, rows, count, set, acceptOne } = advising
  const nobody = (
    <Empty
      title={t(search ? 'nothing_found' : at_risk ? 'nobody_at_risk' : waiting ? 'nobody_waits' : 'no_students')}
      text={search || at_risk ? undefined : t(waiting ? 'nobody_waits_text' : 'no_students_text')}
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
      // The work is the list: what is done beside it stands in the menu.
      menu={
        <>
          <Menu.Item
            component={Link}
            leftSection={<IconChecklist size={15} />}
            to={`${to('/registration_preflight')}?filters=${encodeURIComponent(JSON.stringify({ blocked: true }))}`}
          >
            {t('preflight')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={15} />}
            onClick={() =>
              void withOverlay(download(advisingCalls.exportMine, { body: { lang: paperLanguageOf() } })).catch(
                notify.error,
              )
            }
          >
            {t('export')}
          </Menu.Item>
        </>
      }
    >
      <Tools advising={advising} />
      <DataTable<Advisee>
        columns={COLUMNS}
        rows={error ? [] : rows}
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
        error={error ? <Failed error={error} retry={() => void refetch()} /> : undefined}
        fill
      />
      {count > STUDENTS_PER_PAGE && <Pages advising={advising} />}
      <Suspense>
        {work && (
          <BulkDialog
            title={t('accept_students', { count: work.total })}
            total={work.total}
            done={work.done}
            results={work.results}
            nameOf={advising.nameOfChosen}
            onClose={advising.forgetWork}
          />
        )}
      </Suspense>
    </Page>
  )
}

/** Views and the search; what is done with those who are chosen, while some are. */
function Tools({ advising }: { advising: MyAdvisingState }) {
  const t = useT('registration')
  const tl = useT('kit-screens')
  const { waiting, at_risk, typed, setTyped, selection, setSelection, selected, rows, count, set, acceptChosen } =
    advising
  const box = useRef<HTMLInputElement>(null)
  useShortcut('/', () => box.current?.focus(), t('search_students'))
  if (selected > 0)
    return (
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
    )
  return (
    <div className={css.tools}>
      <div className={listCss.tabs} role="tablist" aria-label={tl('views')}>
        {(['waiting', 'at_risk', 'all'] as const).map((view) => (
          <button
            key={view}
            type="button"
            role="tab"
            className={listCss.view}
            aria-selected={view === (at_risk ? 'at_risk' : waiting ? 'waiting' : 'all')}
            onClick={() =>
              set({
                waiting: view === 'all' ? 'false' : null,
                at_risk: view === 'at_risk' ? 'true' : null,
                page: null,
              })
            }
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
  )
}

function Pages({ advising: { page, count, set } }: { advising: MyAdvisingState }) {
  const t = useT('registration')
  return (
    <div className={css.pages}>
      <Button variant="default" size="xs" disabled={page === 1} onClick={() => set({ page: String(page - 1) }, true)}>
        {t('previous')}
      </Button>
      <Code>
        {formatNumber(page)} / {formatNumber(Math.ceil(count / STUDENTS_PER_PAGE))}
      </Code>
      <Button
        variant="default"
        size="xs"
        disabled={page * STUDENTS_PER_PAGE >= count}
        onClick={() => set({ page: String(page + 1) }, true)}
      >
        {t('next')}
      </Button>
    </div>
  )
}
