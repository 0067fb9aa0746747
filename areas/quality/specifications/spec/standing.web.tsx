import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { ResponseOf } from '#kit/contract/call.ts'
import css from '../specifications.module.css'
import { Gaps } from '../matrix/gaps.web.tsx'
import { SPECIFICATION_STANDINGS, specStandingCalls } from './standing.contract.ts'

const CopyYearDialog = partDialog(async () => (await import('./copy-year.web.tsx')).CopyYearDialog)
type Standing = ResponseOf<typeof specStandingCalls.standing>['data']
type Department = Standing['departments'][number]

/** How far the specifications of a year are: by department, then what each course and program lacks. */
export default function StandingOfSpecifications() {
  const t = useT('specifications')
  const me = useMe()
  const [year_id, setYear] = useState<number | undefined>(undefined)
  const [department, setDepartment] = useState<Department['department']>(null)
  const [copying, setCopying] = useState(false)
  const body = { ...(year_id !== undefined && { year_id }), ...(department && { department_id: department.id }) }
  const { data, error, refetch } = useCall(specStandingCalls.standing, { body }, { placeholderData: keepPreviousData })
  const shown = data?.data
  return (
    <Page
      title={t('standing')}
      subtitle={shown?.year ? nameOf(shown.year) : '\u00A0'}
      action={
        me.can('add_specification') ? (
          <Button variant="default" onClick={() => setCopying(true)}>
            {t('copy_year')}
          </Button>
        ) : undefined
      }
    >
      {error && !shown ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !shown ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <Card title={t('departments')} text={t('departments_text')}>
            <div className={css.picker}>
              <LookupInput
                resource="year"
                label={t('year')}
                defaultValue={null}
                onChange={(year) => setYear(year ?? undefined)}
              />
            </div>
            <Departments rows={shown.departments} chosen={department?.id ?? null} onChoose={setDepartment} />
          </Card>
          {department && <OfDepartment title={nameOf(department)} rows={shown.of} />}
        </Stack>
      )}
      {copying && <CopyYearDialog year={shown?.year ?? null} onClose={() => setCopying(false)} />}
    </Page>
  )
}

function Departments({
  rows,
  chosen,
  onChoose,
}: {
  readonly rows: readonly Department[]
  readonly chosen: number | null
  readonly onChoose: (department: Department['department']) => void
}) {
  const t = useT('specifications')
  const say = useLabel()
  if (!rows.length) return <Empty title={t('standing_none')} />
  const figure = (of: 'courses' | 'programs', key: keyof Department['courses']) => (row: Department) =>
    row[of][key] ? formatNumber(row[of][key]) : '–'
  return (
    <Table
      label={t('departments')}
      rows={rows}
      rowKey={(row) => `${row.faculty?.id ?? 0} ${row.department?.id ?? 0}`}
      heads={[
        { label: null, span: 1 },
        { label: t('courses'), span: SPECIFICATION_STANDINGS.length },
        { label: t('programs'), span: SPECIFICATION_STANDINGS.length },
      ]}
      columns={[
        {
          key: 'department',
          label: t('department'),
          head: true,
          cell: ({ department, faculty }) =>
            department ? (
              <Button
                variant={department.id === chosen ? 'light' : 'subtle'}
                size="compact-sm"
                onClick={() => onChoose(department)}
              >
                {nameOf(department)}
              </Button>
            ) : (
              <bdi>{faculty ? nameOf(faculty) : t('of_university')}</bdi>
            ),
        },
        ...(['courses', 'programs'] as const).flatMap((of) =>
          SPECIFICATION_STANDINGS.map(({ value, label }) => ({
            key: `${of} ${value}`,
            label: say(label),
            figure: true,
            cell: figure(of, value),
          })),
        ),
      ]}
    />
  )
}

function OfDepartment({ title, rows }: { readonly title: string; readonly rows: Standing['of'] }) {
  const t = useT('specifications')
  const say = useLabel()
  return (
    <Card title={title}>
      <Table
        label={title}
        rows={rows}
        rowKey={(row) => `${row.type} ${row.of.id}`}
        columns={[
          {
            key: 'of',
            label: t('of'),
            head: true,
            cell: ({ of, specification_id }) => (
              <>
                <Code>{of.code}</Code>{' '}
                {specification_id === null ? (
                  <bdi>{nameOf(of)}</bdi>
                ) : (
                  <Link to={to('/specifications/:id', { id: specification_id })}>{nameOf(of)}</Link>
                )}
              </>
            ),
          },
          {
            key: 'standing',
            label: t('state'),
            cell: ({ standing }) => {
              const known = SPECIFICATION_STANDINGS.find(({ value }) => value === standing)
              return known ? <Status tone={known.tone} label={say(known.label)} /> : '–'
            },
          },
          {
            key: 'gaps',
            label: t('gaps'),
            style: { minInlineSize: 280 },
            cell: ({ gaps, specification_id }) =>
              gaps.length ? <Gaps gaps={gaps} /> : specification_id === null ? '–' : t('nothing_missing'),
          },
        ]}
        empty={t('standing_none')}
      />
    </Card>
  )
}
