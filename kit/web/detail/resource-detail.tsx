import { Suspense } from 'react'
import { Anchor, Button } from '@mantine/core'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import type { Access } from '#kit/contract/index.ts'
import { useCall } from '../api/index.ts'
import { useMe } from '../auth/index.ts'
import { Code, Failed, Status, notify, useShortcut } from '../feedback/index.ts'
import { CELLS } from '../fields/cells.tsx'
import { calledIn } from '../fields/called.ts'
import { callsOf } from '../fields/calls-of.ts'
import type { ResourceWeb } from '../fields/resource-web.ts'
import { useLabel, useT } from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import type { AnyRow } from '../list/columns.ts'
import type { RowAction } from '../list/row-action.ts'
import { MainButton, MenuItems } from '../list/main-button.tsx'
import { useRemoving, useRowActions } from '../list/resource-list.tsx'
import { Link, screenAt, to, useNavigate, useParams } from '../router/index.ts'
import { Page } from '../shell/page.tsx'
import { part } from '../later.ts'
import type { HistoryOf as History } from './history.tsx'
import { Coming, FactsOf, Identity, ScreenTabs } from './parts.tsx'
import css from './detail.module.css'

type Loose<T> = (row: AnyRow) => T
const noActions = () => () => []
const noMain = () => ({ main: () => null })
type Told = readonly { label: readonly [string, string]; value: React.ReactNode }[]

/** What stands in a detail besides its facts. */
interface Panel {
  readonly key: string
  readonly title: readonly [string, string]
  readonly tab?: boolean | 'above'
  readonly first?: boolean
  readonly permission?: Access
  readonly when?: Loose<boolean>
  readonly Content: React.ComponentType<{ row: AnyRow }>
}

/** How a record stands: as its screen says, removed, or by the first choice that has tones. */
function statusOf(
  { resource: r, detail }: ResourceWeb,
  row: AnyRow,
  say: ReturnType<typeof useLabel>,
  removed: string,
): React.ReactNode {
  if (detail?.status) return (detail.status as Loose<React.ReactNode>)(row)
  if (row.removed) return <Status is="removed" label={removed} />
  const choice = Object.entries(r.fields).find(
    ([name, field]) =>
      field.kind === 'choice' && field.choices?.some((c) => c.tone) && row[name] !== null && row[name] !== undefined,
  )
  return (
    choice &&
    CELLS.choice.render({
      value: row[choice[0]],
      field: choice[1],
      name: choice[0],
      row,
      show: { label: say } as never,
    })
  )
}

// Read after the facts.
const HistoryOf = part<Parameters<typeof History>[0]>(async () => (await import('./history.tsx')).HistoryOf)

/** The facts by sections, panels that are no tab of their own, and the history. */
function DetailFacts({
  web,
  id,
  row,
  besides,
}: {
  web: ResourceWeb
  id: number
  row: AnyRow
  besides: readonly Panel[]
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const me = useMe()
  const { resource: r } = web
  const calls = callsOf(r)
  const log = screenAt('/settings/logs/view/:id/:tableName')
  const named = 'name' in r.fields || 'name_local' in r.fields
  // What the band already says is not said again.
  const inBand = named ? ['code', 'name', 'name_local'] : []
  const sections = r.sections ?? [{ title: ['', ''] as const, fields: Object.keys(r.fields) }]
  const inSections = new Set(sections.flatMap((s) => s.fields))
  const rest = Object.keys(r.fields).filter((name) => !inSections.has(name))
  return (
    <div className={css.stack}>
      {[...sections, ...(rest.length ? [{ title: ['', ''] as const, fields: rest }] : [])].map((section, i) => {
        const names = section.fields.filter((name) => !inBand.includes(name))
        return names.length ? (
          <section key={i} className={css.card}>
            {section.title[0] && <h2 className={css.heading}>{say(section.title)}</h2>}
            <FactsOf fields={r.fields} row={row} names={names} cells={web.cells} />
          </section>
        ) : null
      })}
      {besides.map(({ key, title, Content }) => (
        <section key={key}>
          <h2 className={css.heading}>{say(title)}</h2>
          <Suspense fallback={<Coming />}>
            <Content row={row} />
          </Suspense>
        </section>
      ))}
      {calls.history && (
        <section className={css.card}>
          <h2 className={css.heading}>{t('history')}</h2>
          <Suspense fallback={<Coming />}>
            <HistoryOf call={calls.history} params={{ id }} />
          </Suspense>
          {log && me.opens(log) && (
            <Anchor
              component={Link}
              to={to('/settings/logs/view/:id/:tableName', { id, tableName: r.table })}
              size="sm"
            >
              {t('history_log')}
            </Anchor>
          )}
        </section>
      )}
    </div>
  )
}

/** Stands in for a record that is on its way. */
const ComingDetail = ({ names }: { names: readonly string[] }) => (
  <Page title={null} subtitle={'\u00A0'}>
    <div className={css.stack} aria-busy="true" style={{ gap: 0 }}>
      <div className={css.identity}>
        <div className={css.bones} style={{ flex: 1 }}>
          <span />
          <span />
        </div>
      </div>
      <div className={css.card}>
        <div className={css.bones}>
          {names.map((name) => (
            <span key={name} />
          ))}
        </div>
      </div>
    </div>
  </Page>
)

/** The detail screen of a resource: identity band, facts by sections, panels under tabs, history at the end. */
export default function ResourceDetail({ web }: { web: ResourceWeb }) {
  const { id: given } = useParams()
  const id = Number(given)
  const t = useT('kit-screens')
  const say = useLabel()
  const navigate = useNavigate()
  const { resource: r } = web
  const calls = callsOf(r)
  const { data, error, refetch } = useCall(calls.get!, { params: { id } })
  const row = data?.data as unknown as AnyRow | undefined
  const me = useMe()
  const rowActions = useRowActions(web)
  const { restore } = useRemoving(web)
  const detail = web.detail
  // oxlint-disable-next-line react/hooks -- a detail shows one resource as long as it stands
  const ownActions = (detail?.useActions ?? noActions)() as Loose<readonly RowAction[]>
  // oxlint-disable-next-line react/hooks -- a detail shows one resource as long as it stands
  const own = (detail?.useMain ?? noMain)() as { main: Loose<RowAction | null>; dialogs?: React.ReactNode }
  const actions = row ? rowActions(row).filter((a) => a.key !== 'open') : []
  const edit = actions.find((a) => a.key === 'edit')
  const restoring = actions.find((a) => a.key === 'restore')
  const main = (row && own.main(row)) ?? edit ?? null
  useShortcut('e', () => edit?.href && void navigate(edit.href), edit ? t('edit') : null)

  if (error && !row) {
    return (
      <Page title={say(r.one)}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!row) {
    return <ComingDetail names={Object.keys(r.fields)} />
  }
  const menu = [...ownActions(row), ...actions.filter((a) => a.key !== 'restore')].filter((a) => a.key !== main?.key)
  const named = 'name' in r.fields || 'name_local' in r.fields
  const titled = (detail?.title as Loose<Named | null | undefined> | undefined)?.(row)
  const status = statusOf(web, row, say, t('removed_status'))
  const figures = (detail?.figures as Loose<Told> | undefined)?.(row) ?? []
  const line = (detail?.facts as Loose<Told> | undefined)?.(row)
  const panels = ((detail?.panels ?? []) as unknown as Panel[]).filter(
    (p) => (!p.permission || me.may(p.permission)) && (p.when?.(row) ?? true),
  )
  const facts = <DetailFacts web={web} id={id} row={row} besides={panels.filter((p) => p.tab === false)} />
  const tabs = panels.filter((p) => p.tab !== false && p.tab !== 'above')
  const tabOf = ({ key, title, Content }: Panel) => ({ key, label: say(title), content: <Content row={row} /> })
  const above = panels.filter((p) => p.tab === 'above')
  const Foot = detail?.Foot as React.ComponentType<{ row: AnyRow }> | undefined
  const Photo = detail?.Photo as React.ComponentType<{ row: AnyRow }> | undefined
  return (
    <Page
      title={named ? (row as Named) : (titled ?? say(r.one))}
      subtitle={
        <>
          {say(r.one)}
          {(line || !named) && typeof row.code === 'string' && (
            <>
              {' '}
              <Code>{row.code}</Code>
            </>
          )}
          {line && status}
        </>
      }
      facts={line?.map(({ label, value }) => ({ label: say(label), value }))}
      action={
        restoring && row.removed ? (
          <Button
            leftSection={<IconArrowBackUp size={16} className="pointing" aria-hidden />}
            onClick={() => void restore(row).catch((problem: unknown) => notify.error(problem))}
          >
            {t('restore')}
          </Button>
        ) : main ? (
          <MainButton action={main === edit ? { ...main, icon: <IconPencil size={16} aria-hidden /> } : main} />
        ) : undefined
      }
      menu={menu.length ? <MenuItems actions={menu} /> : undefined}
    >
      {named && !line && (
        <Identity
          titled
          row={row as Named}
          photo={Photo ? <Photo row={row} /> : false}
          status={status}
          figures={figures.map((f) => ({ label: say(f.label), value: f.value }))}
        />
      )}
      {!named && figures.length > 0 && (
        <Identity
          row={{ name: calledIn(r, row, say, web.list?.rowName) }}
          photo={false}
          status={status}
          figures={figures.map((f) => ({ label: say(f.label), value: f.value }))}
        />
      )}
      {above.map(({ key, Content }) => (
        <Suspense key={key} fallback={<Coming />}>
          <Content row={row} />
        </Suspense>
      ))}
      {tabs.length ? (
        <ScreenTabs
          tabs={[
            ...tabs.filter(({ first }) => first).map(tabOf),
            { key: 'overview', label: t('overview'), content: facts },
            ...tabs.filter(({ first }) => !first).map(tabOf),
          ]}
        />
      ) : (
        facts
      )}
      {Foot && (
        <Suspense fallback={null}>
          <Foot row={row} />
        </Suspense>
      )}
      {own.dialogs}
    </Page>
  )
}
