import { Button, SegmentedControl, Select } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Status, notify } from '#kit/web/feedback/index.ts'
import {
  formatInstant,
  formatNumber,
  formatPercent,
  nameOf,
  problemText,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import type { Column } from '#kit/web/list/columns.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { ListFoot } from '#kit/web/list/list-foot.tsx'
import { to, useParams } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { degreeAuditCalls, type AuditResult } from './audit.contract.ts'
import css from './audits.module.css'

type State = AuditResult['state']
type Row = AuditResult & { id: number }

/** One audit of a program or faculty: who would graduate, what is missing most, and each student. */
export default function AuditRunScreen() {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const [state, setState] = useState<State | ''>('')
  const [lacks, setLacks] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState(50)
  const query = { ...(state && { state }), ...(lacks && { lacks }), page, per_page: perPage }
  const { data, error, refetch, isFetching, isPlaceholderData } = useCall(
    degreeAuditCalls.auditResults,
    { params: { id }, query },
    { placeholderData: keepPreviousData },
  )
  const columns = useColumns()
  const most = useCall(degreeAuditCalls.auditLacks, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const run = data?.run
  const several = new Set(most.data?.data.map((one) => one.program.id)).size > 1
  const called = (one: NonNullable<typeof most.data>['data'][number]) =>
    several ? `${nameOf(one, lang)} (${one.program.code ?? nameOf(one.program, lang)})` : nameOf(one, lang)
  const missing = run ? run.students - run.met - run.in_progress : 0
  return (
    <Page
      title={run ? (run.program ?? run.faculty ?? '') : undefined}
      subtitle={run && formatInstant(run.started_at, lang)}
      wide
      facts={
        run
          ? [
              { label: t('audit_students'), value: formatNumber(run.students) },
              { label: t('audit_met'), value: formatNumber(run.met) },
              { label: t('audit_in_progress'), value: formatNumber(run.in_progress) },
              { label: t('audit_missing'), value: formatNumber(missing) },
            ]
          : []
      }
      action={
        <Button
          variant="default"
          disabled={!run?.students}
          onClick={() =>
            void download(degreeAuditCalls.exportAudit, { params: { id } }).catch((problem: unknown) =>
              notify.error(problem),
            )
          }
        >
          {t('audit_export')}
        </Button>
      }
    >
      <Stack>
        {run && run.finished_at === null && run.job_id && (
          <ProgressJob
            id={run.job_id}
            label={t('audit_running')}
            onDone={() => {
              void refetch()
              void most.refetch()
            }}
          />
        )}
        <Chart
          kind="bar"
          horizontal
          height={480}
          title={t('audit_most')}
          text={t('audit_most_text')}
          data={most.data?.data.map((one) => ({ name: called(one), count: one.students }))}
          series={[{ key: 'count', label: ['Students', 'الطلاب'] }]}
          pointLabel={['Requirement of the degree', 'المتطلب']}
        />
        <div className={css.start}>
          <SegmentedControl
            aria-label={t('audit_lines')}
            value={state}
            onChange={(value) => {
              setState(value)
              setPage(1)
            }}
            data={[
              { value: '', label: t('audit_all') },
              { value: 'met', label: t('audit_met') },
              { value: 'in_progress', label: t('audit_in_progress') },
              { value: 'missing', label: t('audit_missing') },
            ]}
          />
          <Select
            aria-label={t('audit_lacking')}
            placeholder={t('audit_lacking')}
            clearable
            searchable
            value={lacks}
            onChange={(value) => {
              setLacks(value)
              setPage(1)
            }}
            data={[...new Map(most.data?.data.map((one) => [one.key, nameOf(one, lang)]))].map(([value, label]) => ({
              value,
              label,
            }))}
          />
        </div>
        <DataTable<Row>
          caption={t('audit_lines')}
          rows={data?.data.map((one) => ({ ...one, id: one.student.id }))}
          expected={8}
          busy={isFetching}
          stale={isPlaceholderData}
          rowName={(row) => row.student.code ?? ''}
          rowHref={(row) => to('/students/:id', { id: row.id })}
          empty={<Empty title={t('audit_nobody')} />}
          columns={columns}
        />
        <ListFoot
          count={data?.meta.count ?? 0}
          asked={{ page, perPage } as Parameters<typeof ListFoot>[0]['asked']}
          sortedBy={null}
          onPage={setPage}
          onPageSize={(rows) => {
            setPerPage(rows)
            setPage(1)
          }}
        />
      </Stack>
    </Page>
  )
}

/** What is said of each student. */
function useColumns(): readonly Column<Row>[] {
  const t = useT('degree-audit')
  const lang = useLanguage()
  return [
    { key: 'code', label: ['Code', 'الكود'], width: 120, cell: (row) => <Code>{row.student.code}</Code> },
    {
      key: 'name',
      label: ['Student', 'الطالب'],
      width: 220,
      cell: (row) => <bdi>{nameOf(row.student, lang)}</bdi>,
    },
    {
      key: 'program',
      label: ['Program', 'البرنامج'],
      width: 180,
      cell: (row) => <bdi>{nameOf(row.program, lang)}</bdi>,
    },
    {
      key: 'percent',
      label: ['Percent done', 'نسبة الإنجاز'],
      width: 90,
      cell: (row) => <Code>{formatPercent(row.percent / 100)}</Code>,
    },
    {
      key: 'state',
      label: ['Status', 'الحالة'],
      width: 130,
      cell: (row) => <Status is={row.state} label={t(`state_${row.state}`)} />,
    },
    {
      key: 'missing',
      label: ['What is missing', 'ما ينقص'],
      width: 420,
      cell: (row) => (
        <ul className={css.lacks}>
          {row.missing.map((one) => (
            <li key={one.key}>
              <bdi>{nameOf(one, lang)}</bdi>: {one.missing.map((what) => problemText(what, lang)).join(' ')}
            </li>
          ))}
        </ul>
      ),
    },
  ]
}
