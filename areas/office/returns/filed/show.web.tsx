import { Button } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Failed, notify, Problems } from '#kit/web/feedback/index.ts'
import { formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { SheetView } from '../templates/sheet.web.tsx'
import { ReturnFindings } from './findings.web.tsx'
import { returnCalls, returnFlow, returnSteps, statisticalReturn, type ShownReturn } from './return.contract.ts'
import { Today } from './today.web.tsx'
import css from '../returns.module.css'

const calls = resourceCalls(statisticalReturn)
type Named = { name: string; name_local: string; code?: string }
export type ReturnRow = Row<typeof statisticalReturn> & { template: Named; year: Named; term: Named | null }

/** One return: where it stands, what was found, its sheets, and what would be another figure today. */
export default function ShowReturn() {
  const t = useT('returns')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const sheet = useCall(returnCalls.sheet, { params: { id } })
  const row = data?.data as unknown as ReturnRow | undefined
  const shown = sheet.data?.data
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  if (!row)
    return (
      <Page title={'\u00A0'}>
        <Bone height={420} />
      </Page>
    )
  const flagged = new Map(shown?.findings.map((one) => [`${one.sheet}!${one.cell}`, one.reason === null]))
  return (
    <Page
      title={row.template}
      subtitle={
        <Dotted>
          <bdi>{nameOf(row.year)}</bdi>
          {row.term && <bdi>{nameOf(row.term)}</bdi>}
        </Dotted>
      }
      wide
    >
      <Stack>
        <Standing row={row} shown={shown} />
        {sheet.error && !shown ? (
          <Failed error={sheet.error} retry={() => void sheet.refetch()} />
        ) : shown ? (
          <ScreenTabs
            tabs={[
              {
                key: 'findings',
                label: t('findings'),
                count: shown.findings.filter(({ reason }) => reason === null).length,
                content: () => <ReturnFindings row={row} shown={shown} />,
              },
              {
                key: 'sheets',
                label: t('sheets'),
                content: () => (
                  <Card title={t('sheets')} text={t('sheets_text')}>
                    <SheetView
                      sheets={shown.sheets}
                      mark={(name, cell) => {
                        const open = flagged.get(`${name}!${cell}`)
                        return open === undefined ? null : open ? 'open' : 'accepted'
                      }}
                    />
                  </Card>
                ),
              },
              ...(shown.filled_at
                ? [{ key: 'today', label: t('today'), content: () => <Today id={id} version={row.version} /> }]
                : []),
              {
                key: 'history',
                label: t('history'),
                content: () => (
                  <Card>
                    <StepHistory flow={returnFlow} calls={returnSteps} id={id} />
                  </Card>
                ),
              },
            ]}
          />
        ) : (
          <Bone height={420} />
        )}
      </Stack>
    </Page>
  )
}

function Standing({ row, shown }: { row: ReturnRow; shown: ShownReturn | undefined }) {
  const t = useT('returns')
  const { may } = useMe()
  const { busy, problem, go, send } = useChange('/statistical-returns')
  const steps = useSteps(returnFlow as never, returnSteps, {
    name: (one: ReturnRow) => nameOf(one.template),
    refreshes: ['/statistical-returns', '/users/work'],
  })
  const actions = steps.actions(row)
  const next = steps.next(row)
  const newer = shown !== undefined && shown.edition.newest > shown.edition.number
  const mayFill = row.status === 'draft' && may('fill_statisticalReturn')
  const fill = (newest: boolean) =>
    void go(async () => {
      const { data } = await send(returnCalls.fill, { params: { id: row.id }, body: { version: row.version, newest } })
      notify.done(t('filled', { cells: data.cells, findings: data.findings }))
    })
  return (
    <Card title={t('standing')} aside={<StateBadge flow={returnFlow} state={row.status ?? 'draft'} />}>
      <Stack gap={12}>
        <StepLine flow={returnFlow} calls={returnSteps} id={row.id} state={row.status ?? 'draft'} />
        <Facts
          items={[
            {
              label: t('template'),
              value: (
                <>
                  <Link to={to('/return-templates/:id', { id: row.template_id ?? 0 })}>{nameOf(row.template)}</Link>
                  {shown && ` · ${t('edition_n', { number: shown.edition.number })}`}
                </>
              ),
            },
            {
              label: t('filled_at'),
              value: shown?.filled_at
                ? [formatInstant(shown.filled_at), shown.filled_by && nameOf(shown.filled_by)]
                    .filter(Boolean)
                    .join(' · ')
                : t('not_filled'),
            },
            ...(row.sent_at
              ? [
                  {
                    label: t('sent_on'),
                    value: [formatInstant(row.sent_at), shown?.sent_by && nameOf(shown.sent_by)]
                      .filter(Boolean)
                      .join(' · '),
                  },
                ]
              : []),
            {
              label: t('compared'),
              value: shown?.before ? (
                <Link to={to('/statistical-returns/:id', { id: shown.before.id })}>{nameOf(shown.before.year)}</Link>
              ) : (
                t('compared_none')
              ),
            },
            ...(shown?.corrects
              ? [
                  {
                    label: t('corrects'),
                    value: <Link to={to('/statistical-returns/:id', { id: shown?.corrects })}>{t('open_that')}</Link>,
                  },
                ]
              : []),
            ...(shown?.corrected_by
              ? [
                  {
                    label: t('corrected_by'),
                    value: (
                      <Link to={to('/statistical-returns/:id', { id: shown.corrected_by })}>{t('open_that')}</Link>
                    ),
                  },
                ]
              : []),
          ]}
        />
        {newer && row.status === 'draft' && <p className={css.note}>{t('newer', { number: shown.edition.newest })}</p>}
        {problem !== null && <Problems error={problem} />}
        <div className={`${css.line} no-print`}>
          {mayFill && (
            <Button
              variant={shown?.filled_at ? 'default' : 'filled'}
              loading={busy}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => fill(newer)}
            >
              {t(newer ? 'fill_newest' : shown?.filled_at ? 'fill_again' : 'fill')}
            </Button>
          )}
          {shown?.filled_at && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => void go(() => download(returnCalls.file, { params: { id: row.id } }))}
            >
              {t('download')}
            </Button>
          )}
          {actions.map(({ key, label, disabled, onSelect, tone }) => (
            <Button
              key={key}
              variant={key === next?.key && shown?.filled_at ? 'filled' : 'default'}
              {...(tone === 'refused' && { color: 'red' })}
              disabled={disabled !== undefined}
              title={disabled}
              onClick={() => onSelect?.()}
            >
              {label}
            </Button>
          ))}
        </div>
      </Stack>
    </Card>
  )
}
