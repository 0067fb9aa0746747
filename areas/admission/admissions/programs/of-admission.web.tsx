import { Button } from '@mantine/core'
import { IconBooks, IconPlus, IconSchool } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { resourceCalls, type Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Cards } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { admissionProgram } from './admission-program.contract.ts'
import { OFFER_STATES } from '../words.contract.ts'
import css from '../admissions.module.css'

const calls = resourceCalls(admissionProgram)
const F = admissionProgram.fields
const AddDialog = part(async () => (await import('./add-dialog.web.tsx')).default)
type Offered = Row<typeof admissionProgram>

/** Seats that can be chosen, by faculty: the largest first. */
function useSeats(rows: readonly Offered[]) {
  const lang = useLanguage()
  const seats = new Map<string, number>()
  for (const { faculty, capacity, is_open } of rows) {
    const name = faculty ? nameOf(faculty, lang) : '–'
    if (is_open) seats.set(name, (seats.get(name) ?? 0) + capacity)
  }
  return [...seats].map(([name, sum]) => ({ name, seats: sum })).toSorted((a, b) => b.seats - a.seats)
}

/** What an admission offers: its programs with their seats, and the seats of each faculty. */
export function ProgramsOfAdmission({ id }: { id: number }) {
  const t = useT('admissions')
  const say = useLabel()
  const [adding, setAdding] = useState(false)
  const { most, more } = useMost(100, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(calls.list, {
    body: { perPage: most, filters: { admission_id: [id] }, order_by: 'code', order_direction: 'asc' },
  })
  const rows = data?.data
  const seats = useSeats(rows ?? [])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const add = may('add_admissionProgram') && (
    <>
      <Button
        variant="default"
        size="xs"
        component={Link}
        to={`${to('/management/admission/programs/add')}?admission_id=${id}`}
        leftSection={<IconPlus size={16} aria-hidden />}
      >
        {t('add_single')}
      </Button>
      <Button size="xs" leftSection={<IconBooks size={16} aria-hidden />} onClick={() => setAdding(true)}>
        {t('add_programs')}
      </Button>
    </>
  )
  const percent = (value: string | null) => (value === null ? '–' : <bdi>{formatPercent(Number(value) / 100, 2)}</bdi>)
  return (
    <>
      <Card
        title={t('programs')}
        text={
          rows?.length
            ? t('seats_count', { n: formatNumber(seats.reduce((all, one) => all + one.seats, 0)) })
            : undefined
        }
        aside={rows?.length ? <div className={css.buttons}>{add}</div> : undefined}
      >
        {!rows ? (
          <Bone height={320} />
        ) : rows.length === 0 ? (
          <Empty
            icon={<IconSchool size={28} aria-hidden />}
            title={t('no_programs')}
            text={t('no_programs_text')}
            action={add && <div className={css.buttons}>{add}</div>}
          />
        ) : (
          <>
            <Table
              label={t('programs')}
              rows={rows}
              rowKey={(row) => row.id}
              columns={[
                {
                  key: 'program',
                  label: say(F.program_id.label),
                  head: true,
                  style: { minInlineSize: 180 },
                  cell: (row) => (
                    <span className={css.two}>
                      <Link to={to('/management/admission/programs/:id', { id: row.id })}>
                        {row.program && <Name row={row.program} />}
                      </Link>
                      <small>
                        <Code>{row.program?.code}</Code>
                        {row.faculty && (
                          <>
                            {' · '}
                            <Name row={row.faculty} />
                          </>
                        )}
                      </small>
                    </span>
                  ),
                },
                {
                  key: 'capacity',
                  label: say(F.capacity.label),
                  figure: true,
                  cell: (row) => formatNumber(row.capacity),
                },
                {
                  key: 'min',
                  label: say(F.min_percentage.label),
                  figure: true,
                  cell: (row) => percent(row.min_percentage),
                },
                {
                  key: 'last',
                  label: say(F.last_cut_off.label),
                  figure: true,
                  cell: (row) => percent(row.last_cut_off),
                },
                {
                  key: 'open',
                  label: t('state'),
                  cell: (row) => {
                    const state = OFFER_STATES[row.is_open ? 0 : 1]
                    return <Status tone={state.tone} label={say(state.label)} />
                  },
                },
              ]}
            />
            <MoreRows shown={rows.length} total={data.meta.count} onMore={more} />
          </>
        )}
      </Card>
      {rows && seats.length > 1 && (
        <Cards>
          <Card title={t('seats_by_faculty')}>
            <Chart
              kind="bar"
              horizontal
              title={t('seats_by_faculty')}
              data={seats}
              series={[{ key: 'seats', label: F.capacity.label }]}
              pointLabel={F.faculty_id.label}
              format={formatNumber}
            />
          </Card>
        </Cards>
      )}
      <Suspense fallback={null}>{adding && <AddDialog admission={id} onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}
