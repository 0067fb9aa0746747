import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Row } from '#kit/contract/index.ts'
import { resourceCalls } from '#kit/contract/resource.ts'
import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import css from '../specifications.module.css'
import { attainmentCalls, type AttainmentReport } from './attainment.contract.ts'
import { FEW_STUDENTS, type Measured } from './attainment.rules.ts'
import { findingFlow, qualityFinding } from './finding.contract.ts'

const FindingDialog = partDialog(async () => (await import('./finding-dialog.web.tsx')).FindingDialog)
const calls = resourceCalls(qualityFinding)
type Finding = Row<typeof qualityFinding>
interface OfSpecification {
  readonly id: number
  readonly course_id: number | null
  readonly program_id: number | null
}
type Outcome = AttainmentReport['outcomes'][number]

/** How far the outcomes were reached, year by year, and what is done about it. */
export function SpecificationAttainment({ row }: { readonly row: OfSpecification }) {
  const t = useT('specifications')
  const [cohort_id, setCohort] = useState<number | undefined>(undefined)
  const query = cohort_id === undefined ? {} : { cohort_id: String(cohort_id) }
  const { data, error, refetch } = useCall(attainmentCalls.attainment, { params: { id: row.id }, query } as never, {
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={360} />
  const report = data.data
  const measured = report.outcomes.some((one) => one.measured.some((year) => year !== null))
  return (
    <Stack>
      <Card title={t('attainment')} text={t('attainment_text', { threshold: formatNumber(report.threshold) })}>
        <Cohorts report={report} chosen={cohort_id} onChoose={setCohort} />
        {measured ? <Outcomes report={report} /> : <Empty title={t('not_measured')} text={t('not_measured_text')} />}
      </Card>
      {report.said.length > 0 && <Said report={report} />}
      {report.sources.length > 0 && <Sources report={report} />}
      <Findings of={row} report={report} />
    </Stack>
  )
}

function Cohorts({
  report,
  chosen,
  onChoose,
}: {
  readonly report: AttainmentReport
  readonly chosen: number | undefined
  readonly onChoose: (cohort: number | undefined) => void
}) {
  const t = useT('specifications')
  if (report.cohorts.length < 2) return null
  const all = [
    { id: undefined, label: t('all_cohorts') },
    ...report.cohorts.map((one) => ({ id: one.id, label: nameOf(one) })),
  ]
  return (
    <fieldset className={css.cohorts}>
      <legend>{t('cohort')}</legend>
      {all.map(({ id, label }) => (
        <Button
          key={id ?? 0}
          size="compact-sm"
          variant={id === chosen ? 'light' : 'subtle'}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  )
}

/** A share as a figure and a bar with the target on it: the number says all, the bar shows it. */
function Share({ measured, target }: { readonly measured: Measured | null; readonly target: number }) {
  const t = useT('specifications')
  if (!measured) return <>–</>
  const { share, students, mean } = measured
  return (
    <span className={css.share} title={t('mean_of', { mean: formatNumber(mean) })}>
      <span className={css.figure}>{formatPercent(share / 100)}</span>
      <svg viewBox="0 0 100 8" width="72" height="8" aria-hidden data-below={share < target || undefined}>
        <rect x="0" y="1" width="100" height="6" rx="3" className={css.track} />
        <rect x="0" y="1" width={share} height="6" rx="3" className={css.bar} />
        <rect x={Math.min(98, target)} y="0" width="2" height="8" className={css.mark} />
      </svg>
      <span className={css.second}>
        {t(students < FEW_STUDENTS ? 'only_students' : 'students', { count: students })}
      </span>
    </span>
  )
}

function Trend({ outcome }: { readonly outcome: Outcome }) {
  const t = useT('specifications')
  if (outcome.trend === null) return <>–</>
  const Icon = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconArrowRight }[outcome.trend]
  return (
    <span className={css.trend}>
      <Icon size={16} aria-hidden className="pointing" /> {t(`trend_${outcome.trend}`)}
    </span>
  )
}

function Outcomes({ report }: { readonly report: AttainmentReport }) {
  const t = useT('specifications')
  const ar = useLanguage() === 'ar'
  return (
    <Table
      label={t('attainment')}
      rows={report.outcomes}
      rowKey={(one) => one.code}
      columns={[
        {
          key: 'outcome',
          label: t('outcome'),
          head: true,
          style: { minInlineSize: 180 },
          cell: (one) => (
            <>
              <Code>{one.code}</Code> <bdi>{ar ? one.text_local : one.text}</bdi>
            </>
          ),
        },
        ...report.years.map((year, i) => ({
          key: `year ${year.id}`,
          label: nameOf(year),
          cell: (one: Outcome) => <Share measured={one.measured[i] ?? null} target={one.target} />,
        })),
        { key: 'target', label: t('target'), figure: true, cell: (one) => formatPercent(one.target / 100) },
        { key: 'trend', label: t('trend'), cell: (one) => <Trend outcome={one} /> },
        {
          key: 'attained',
          label: t('state'),
          cell: (one) =>
            one.attained === null ? (
              '–'
            ) : (
              <Status is={one.attained ? 'met' : 'unmet'} label={t(one.attained ? 'attained' : 'not_attained')} />
            ),
        },
      ]}
    />
  )
}

/** What students, or graduates of a program, say: by domain, as questions are not asked outcome by outcome. */
function Said({ report }: { readonly report: AttainmentReport }) {
  const t = useT('specifications')
  const say = useLabel()
  return (
    <Card
      title={t(report.of === 'course' ? 'said_students' : 'said_graduates')}
      text={t('said_text', { threshold: formatNumber(report.threshold) })}
    >
      <Table
        label={t(report.of === 'course' ? 'said_students' : 'said_graduates')}
        rows={report.said}
        rowKey={(one) => one.domain}
        columns={[
          {
            key: 'domain',
            label: t('domain'),
            head: true,
            style: { minInlineSize: 150 },
            cell: (one) => say(OUTCOME_DOMAINS.find(({ value }) => value === one.domain)!.label),
          },
          ...report.years.map((year, i) => ({
            key: `year ${year.id}`,
            label: nameOf(year),
            cell: (one: AttainmentReport['said'][number]) => {
              const said = one.years[i]
              return said ? (
                <span className={css.share}>
                  <span className={css.figure}>{formatPercent(said.share / 100)}</span>
                  <span className={css.second}>{t('answers', { count: said.answers })}</span>
                </span>
              ) : (
                '–'
              )
            },
          })),
        ]}
      />
    </Card>
  )
}

function Sources({ report }: { readonly report: AttainmentReport }) {
  const t = useT('specifications')
  // Where least was reached stands first.
  const sources = report.sources.toSorted((a, b) => a.share - b.share)
  const ar = useLanguage() === 'ar'
  return (
    <Card title={t(report.of === 'course' ? 'by_offering' : 'by_course')} text={t('sources_text')}>
      <Table
        label={t(report.of === 'course' ? 'by_offering' : 'by_course')}
        rows={sources}
        height={420}
        sticky
        rowKey={(one) => `${one.outcome} ${one.code}`}
        columns={[
          { key: 'outcome', label: t('outcome'), cell: (one) => <Code>{one.outcome}</Code> },
          {
            key: 'source',
            label: t(report.of === 'course' ? 'offering' : 'course'),
            head: true,
            cell: (one) =>
              report.of === 'course' ? (
                <Code>{one.code}</Code>
              ) : (
                <>
                  <Code>{one.code}</Code> <bdi>{ar ? one.name_local : one.name}</bdi>
                </>
              ),
          },
          { key: 'students', label: t('students_column'), figure: true, cell: (one) => formatNumber(one.students) },
          { key: 'mean', label: t('mean'), figure: true, cell: (one) => formatPercent(one.mean / 100) },
          { key: 'share', label: t('reached_by'), figure: true, cell: (one) => formatPercent(one.share / 100) },
        ]}
      />
    </Card>
  )
}

/** What is done about it: by whom, until when, and what the next year showed. */
function Findings({ of, report }: { readonly of: OfSpecification; readonly report: AttainmentReport }) {
  const t = useT('specifications')
  const me = useMe()
  const [open, setOpen] = useState(false)
  const filters = of.course_id === null ? { program_id: [of.program_id] } : { course_id: [of.course_id] }
  const { data } = useCall(calls.list, { body: { filters, perPage: 100 } })
  if (!me.can('access_qualityFinding')) return null
  const rows = (data as { data: Finding[] } | undefined)?.data
  return (
    <Card
      title={t('findings')}
      text={t('findings_text')}
      aside={
        me.can('add_qualityFinding') && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('plan_finding')}
          </Button>
        )
      }
    >
      {!rows?.length ? (
        <Empty title={t('no_findings')} />
      ) : (
        <Table
          label={t('findings')}
          rows={rows}
          rowKey={(row) => row.id}
          columns={[
            { key: 'outcome', label: t('outcome'), cell: (row) => <Code>{row.outcome_code}</Code> },
            {
              key: 'action',
              label: t('action'),
              head: true,
              style: { minInlineSize: 200 },
              cell: (row) => (
                <>
                  <Link to={to('/quality-findings/:id', { id: row.id })}>{row.action}</Link>
                  <span className={css.second}>
                    <bdi>{row.finding}</bdi>
                  </span>
                </>
              ),
            },
            { key: 'who', label: t('who'), cell: (row) => (row.responsible ? nameOf(row.responsible) : '–') },
            { key: 'due', label: t('due'), cell: (row) => (row.due_on ? formatDate(row.due_on) : '–') },
            {
              key: 'status',
              label: t('state'),
              cell: (row) => <StateBadge flow={findingFlow as never} state={row.status ?? 'action_planned'} />,
            },
          ]}
        />
      )}
      {open && <FindingDialog of={of} report={report} onClose={() => setOpen(false)} />}
    </Card>
  )
}
