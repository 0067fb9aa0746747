import { meetingType } from '#kit/contract/week.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { ATTEMPTS } from '#areas/common/academics/offering-words.contract.ts'
import { reportCalls } from './reports.contract.ts'

const COUNT = { key: 'count', label: ['Students', 'الطلاب'] as const }

/** Registrations by state, program, level and attempt; seats per group; grades when they are there. */
export function Statistics({ id }: { id: number }) {
  const t = useT('offerings')
  const say = useLabel()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(reportCalls.statistics, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const s = data?.data
  const word = (list: readonly { value: string; label: readonly [string, string] }[], value: string | null): string => {
    const found = list.find((x) => x.value === value)
    return found ? say(found.label) : (value ?? t('unknown'))
  }
  const seats = s?.groups.flatMap((g) =>
    g.meetings.map((m) => ({
      name: `${t('group', { number: g.number })} · ${say(meetingType(m.type))}${m.section ? ` ${m.section}` : ''}`,
      taken: m.taken,
      free: Math.max(0, m.quota - m.taken),
    })),
  )
  const grades = s?.grades
  return (
    <Stack>
      {s && (
        <Card>
          <Facts
            items={[
              { label: t('registered'), value: <Code>{formatNumber(s.registered)}</Code> },
              { label: t('requests'), value: <Code>{formatNumber(s.requested)}</Code> },
              { label: t('waiting'), value: <Code>{formatNumber(s.waiting)}</Code> },
              { label: t('seats'), value: <Code>{formatNumber(s.seats)}</Code> },
              { label: t('free_seats'), value: <Code>{formatNumber(s.free)}</Code> },
              ...(grades
                ? [
                    {
                      label: t('passed'),
                      value: <Code>{formatPercent(grades.count ? grades.passed / grades.count : 0)}</Code>,
                    },
                    { label: t('average'), value: <Code>{formatNumber(grades.average, 2)}</Code> },
                    ...(grades.deviation
                      ? [{ label: t('deviation'), value: <Code>{formatNumber(grades.deviation, 2)}</Code> }]
                      : []),
                  ]
                : []),
            ]}
          />
        </Card>
      )}
      <Cards even>
        <Chart
          kind="bar"
          horizontal
          stacked
          title={t('seats_per_group')}
          data={seats}
          series={[
            { key: 'taken', label: ['Taken', 'مشغول'] },
            { key: 'free', label: ['Free', 'شاغر'], tone: 'done' },
          ]}
          pointLabel={['Meeting', 'الموعد']}
        />
        {grades && (
          <Chart
            kind="bar"
            title={t('grades')}
            text={t('grades_text', { count: grades.count })}
            data={grades.letters.map((l) => ({ name: l.letter, count: l.count }))}
            series={[COUNT]}
            pointLabel={['Grade', 'التقدير']}
          />
        )}
        {grades && (
          <Chart
            kind="bar"
            title={t('totals')}
            data={grades.bands.map((b) => ({
              name: `${b.from}–${b.from === 90 ? 100 : b.from + 9}`,
              count: b.count,
            }))}
            series={[COUNT]}
            pointLabel={['Percent', 'النسبة']}
          />
        )}
        <Chart
          kind="bar"
          horizontal
          title={t('by_state')}
          data={s?.states.map((x) => ({ name: word(REGISTRATION_STATES, x.state), count: x.count }))}
          series={[COUNT]}
          pointLabel={['Status', 'الحالة']}
        />
        <Chart
          kind="donut"
          title={t('by_attempt')}
          data={s?.attempts.map((x) => ({ name: word(ATTEMPTS, x.kind), count: x.count }))}
          series={[COUNT]}
          pointLabel={['Attempt', 'المحاولة']}
        />
        <Chart
          kind="bar"
          title={t('by_program')}
          data={s?.programs.map((x) => ({ name: x.program.code ?? nameOf(x.program, lang), count: x.count }))}
          series={[COUNT]}
          pointLabel={['Program', 'البرنامج']}
        />
        <Chart
          kind="bar"
          title={t('by_level')}
          data={s?.levels.map((x) => ({ name: t('level', { level: x.level }), count: x.count }))}
          series={[COUNT]}
          pointLabel={['Level', 'المستوى']}
        />
        {(s?.offerings.length ?? 0) > 1 && (
          <Chart
            kind="bar"
            title={t('by_offering')}
            data={s!.offerings.map((x) => ({ name: x.offering.code ?? '', count: x.count }))}
            series={[COUNT]}
            pointLabel={['Offering', 'الطرح']}
          />
        )}
      </Cards>
    </Stack>
  )
}
