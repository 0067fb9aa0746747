import { Suspense, useMemo } from 'react'
import { useMaybeMe } from '../auth/index.ts'
import { Failed } from '../feedback/index.ts'
import { useT } from '../i18n/index.ts'
import { Page } from '../shell/page.tsx'
import { cleanFilters } from './address.ts'
import type { LineList as Lines } from './line-list.tsx'
import { ofOwn } from './columns.ts'
import type { AnyRow } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { part } from '../later.ts'
import { ListDialogs } from './list-dialogs.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListBar, ListNotes, Nothing } from './list-parts.tsx'
import { ViewTabs } from './list-views.tsx'
import { MainButton, MenuItems } from './main-button.tsx'
import { useListScreen, type ListScreenProps } from './use-list-screen.ts'
import css from './list.module.css'

export type { ListScreenProps } from './use-list-screen.ts'

/** The type of users who study. */
const STUDENT = 3

// Few lists are lines of text.
const LineList = part<Parameters<typeof Lines>[0]>(async () => (await import('./line-list.tsx')).LineList as never)

/**
 * A whole list screen over any list call: see look.md "List". State stands in the address, so that it can be sent,
 * kept and gone back to.
 *
 * @example <ListScreen call={controlCalls.list} title={['Control lists', 'قوائم الكنترول']} columns={columns} rowHref={(row) => to('/control/:id', { id: row.id })} />
 */
export function ListScreen<R extends AnyRow = AnyRow>(props: ListScreenProps<R>) {
  const { bulk } = props
  const t = useT('kit-screens')
  const list = useListScreen(props)
  const { title, state, change, selection, setSelection, answer, rows, count, asked, prefs, setPrefs } = list
  const me = useMaybeMe()
  const own = me?.user.type === STUDENT ? me.user.student_id : null
  // The same columns are the same list: what the table says of them would be said again without end.
  const columns = useMemo(() => ofOwn(props.columns, rows, own), [props.columns, rows, own])
  const { tabs, current, openView, removeView, menu, setDropped, navigate } = list
  const failed = answer.error ? <Failed error={answer.error} retry={() => void answer.refetch()} /> : undefined
  const nothing = (
    <Nothing
      tab={list.byTabAlone && current ? current.label : null}
      onAll={() => openView(tabs[0]!)}
      filtered={Boolean(asked.search) || Object.keys(cleanFilters(asked.filters)).length > 0}
      removed={asked.removed}
      empty={props.empty}
      begins={Boolean(props.main)}
      onClear={() => change({ search: '', filters: {} })}
    />
  )
  const content = (
    <div className={css.screen}>
      {typeof props.above === 'function' ? props.above(answer.details) : props.above}
      <div className={css.tools}>
        {props.beside}
        {tabs.length > 1 && <ViewTabs tabs={tabs} current={current} onOpen={openView} onRemove={removeView} />}
        <ListBar list={list} />
      </div>
      <ListNotes list={list} />
      {props.line ? (
        <Suspense fallback={null}>
          <LineList
            rows={answer.error ? [] : rows}
            caption={title}
            line={props.line as never}
            heading={props.lineHeading as never}
            busy={answer.isFetching}
            stale={answer.stale}
            nothing={failed ?? (rows?.length === 0 ? nothing : null)}
          />
        </Suspense>
      ) : (
        <DataTable<R>
          columns={columns}
          rows={answer.error ? [] : rows}
          caption={title}
          // A list inside another screen is mostly short.
          expected={Math.min(state.perPage, props.page === false ? 5 : 25)}
          busy={answer.isFetching}
          stale={answer.stale}
          sort={{ by: asked.order_by, direction: asked.order_direction }}
          onSort={(order_by, order_direction) => change({ order_by, order_direction }, true)}
          selection={bulk?.length || props.exports?.xlsx ? selection : undefined}
          onSelection={setSelection}
          rowName={props.rowName}
          rowHref={props.rowHref}
          onOpen={props.onOpen}
          actions={props.actions}
          inline={props.inline}
          inlineWidth={props.inlineWidth}
          prefs={prefs}
          onPrefs={setPrefs}
          onDropped={setDropped}
          empty={nothing}
          error={failed}
          fill={props.page !== false}
          onRowKey={(event, row) => {
            const href = event.key === 'e' ? props.onKey?.edit?.(row) : null
            if (href) {
              event.preventDefault()
              void navigate(href)
            }
          }}
        />
      )}
      <ListFoot
        count={answer.error ? 0 : count}
        asked={asked}
        sortedBy={list.sortedUnseen}
        onPage={(page) => change({ page }, true)}
        onPageSize={(perPage) => change({ perPage })}
      />
      <ListDialogs list={list} />
    </div>
  )
  if (props.page === false) return content
  return (
    <Page
      wide
      low
      title={title}
      // Of none it is said in place of the rows.
      subtitle={props.subtitle ?? (rows && count > 0 ? t('count', { count }) : '\u00A0')}
      action={props.main ? <MainButton action={props.main} /> : undefined}
      menu={menu.length ? <MenuItems actions={menu} /> : undefined}
    >
      {content}
    </Page>
  )
}
