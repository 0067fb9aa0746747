import { Button } from '@mantine/core'
import { IconCalendarPlus, IconDownload, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { download, useCall } from '#kit/web/api/index.ts'
import { Facts, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { act, Code, Failed } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { IssuedPapers } from '#kit/web/papers/papers.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { DiscussionOf } from '../discussion/discussion.web.tsx'
import { projectsOfThesis } from '../outlets.contract.ts'
import { Manuscript } from '../manuscript/manuscript.web.tsx'
import { thesisPapers } from '../paper/paper.contract.ts'
import { Deposit } from '../repository/deposit.web.tsx'
import { Decisions } from './decisions.web.tsx'
import { thesisFlow, thesisSteps } from './flow.contract.ts'
import { ThesisProgress } from './progress.web.tsx'
import { ThesisTeam } from './team.web.tsx'
import { thesis } from './thesis.contract.ts'
import { thesisCalls, type WholeThesis } from './whole.contract.ts'
import { THESIS_DEGREES } from './words.contract.ts'
import css from '../theses.module.css'

const ThesisAsking = partDialog(async () => (await import('./asking.web.tsx')).ThesisAsking)
const Projects = filled(projectsOfThesis)
const calls = resourceCalls(thesis)
type Named = { name: string; name_local: string; code?: string; id: number }
export type ShownThesisRow = Row<typeof thesis> & { student: Named; department: Named; faculty: Named | null }
/** Steps that ask for data. */
const WITH_DATA = ['approve', 'change', 'discuss'] as const
export type AskedStep = (typeof WITH_DATA)[number]

/** One thesis: where it stands, who is on its team, how it goes on, its discussion, manuscript and papers. */
export default function ShowThesis() {
  const t = useT('theses')
  const say = useLabel()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const { data: all, error: failed } = useCall(thesisCalls.whole, { params: { id } })
  const row = data?.data as unknown as ShownThesisRow | undefined
  const whole = all?.data
  if ((error && !row) || (failed && !whole)) return <Failed error={error ?? failed} retry={() => void refetch()} />
  if (!row || !whole)
    return (
      <Page title={'\u00A0'}>
        <Bone height={420} />
      </Page>
    )
  return (
    <Page
      title={{ name: row.title ?? '', name_local: row.title_local ?? '' }}
      subtitle={
        <Dotted>
          <Code>{row.student.code}</Code>
          <bdi>{nameOf(row.student)}</bdi>
        </Dotted>
      }
      action={
        row.abilities.includes('edit') && (
          <Button
            variant="default"
            component={Link}
            to={to('/theses/thesis/edit/:id', { id })}
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            {say(thesis.editing)}
          </Button>
        )
      }
    >
      <Stack>
        <Standing row={row} whole={whole} />
        <ScreenTabs
          tabs={[
            {
              key: 'team',
              label: t('team'),
              content: () => (
                <Stack>
                  <ThesisTeam id={id} whole={whole} status={row.status ?? ''} />
                  <Projects id={id} />
                </Stack>
              ),
            },
            {
              key: 'progress',
              label: t('progress'),
              content: () => <ThesisProgress id={id} whole={whole} status={row.status ?? ''} />,
            },
            {
              key: 'manuscript',
              label: t('manuscript'),
              count: whole.versions.length,
              content: () => <Manuscript id={id} whole={whole} status={row.status ?? ''} />,
            },
            {
              key: 'discussion',
              label: t('discussion'),
              content: () => <DiscussionOf id={id} whole={whole} status={row.status ?? ''} />,
            },
            { key: 'decisions', label: t('decisions'), content: () => <Decisions whole={whole} /> },
            {
              key: 'papers',
              label: t('papers'),
              content: () => (
                <Stack>
                  {(row.status === 'granted' || whole.deposit) && <Deposit id={id} whole={whole} />}
                  <IssuedPapers of={thesisPapers} id={id} />
                </Stack>
              ),
            },
            {
              key: 'history',
              label: t('history'),
              content: () => (
                <Card>
                  <StepHistory flow={thesisFlow} calls={thesisSteps} id={id} />
                </Card>
              ),
            },
          ]}
        />
      </Stack>
    </Page>
  )
}

function Standing({ row, whole }: { row: ShownThesisRow; whole: WholeThesis }) {
  const t = useT('theses')
  const say = useLabel()
  const lang = useLanguage()
  const [asking, setAsking] = useState<AskedStep | null>(null)
  const steps = useSteps(thesisFlow as never, thesisSteps as never, {
    name: (one: ShownThesisRow) => nameOf({ name: one.title ?? '', name_local: one.title_local ?? '' }),
    refreshes: ['/theses', '/users/work'],
  })
  const actions = row.removed ? [] : steps.actions(row)
  const next = row.removed ? null : steps.next(row)
  const degree = THESIS_DEGREES.find(({ value }) => value === row.degree)
  const print = () =>
    act({
      go: () => download(thesisCalls.print, { params: { id: row.id }, query: { lang: lang === 'ar' ? 'ar' : 'en' } }),
      done: () => null,
    })
  return (
    <Card
      title={t('standing')}
      aside={
        <span className={css.line}>
          <StateBadge flow={thesisFlow} state={row.status ?? 'draft'} />
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void print()}>
            {t('print')}
          </Button>
        </span>
      }
    >
      <div className={css.standing}>
        <StepLine flow={thesisFlow} calls={thesisSteps} id={row.id} state={row.status ?? 'draft'} />
        <Facts
          items={[
            {
              label: t('supervisors'),
              value: row.supervisors.length ? formatList(row.supervisors.map((one) => nameOf(one))) : '–',
            },
            { label: t('degree'), value: degree ? say(degree.label) : '–' },
            { label: t('department'), value: nameOf(row.department) },
            ...(whole.earliest ? [{ label: t('earliest'), value: formatDate(whole.earliest) }] : []),
            ...(whole.latest ? [{ label: t('latest'), value: formatDate(whole.latest) }] : []),
            ...(row.granted_on ? [{ label: t('granted_on'), value: formatDate(row.granted_on) }] : []),
            ...(row.status === 'granted'
              ? [
                  {
                    label: t('graduation'),
                    value: <Link to={to('/students/:id', { id: row.student_id ?? 0 })}>{t('to_student')}</Link>,
                  },
                ]
              : []),
          ]}
        />
        {whole.reasons.length > 0 && (
          <div className={css.missing}>
            <strong>{t('still_missing')}</strong>
            <ul>
              {whole.reasons.map((one) => (
                <li key={problemText(one)}>{problemText(one)}</li>
              ))}
            </ul>
          </div>
        )}
        {actions.length > 0 && (
          <div className={css.line}>
            {actions.map(({ key, label, disabled, onSelect, tone }) => {
              const asked = WITH_DATA.find((one) => one === key)
              return (
                <Button
                  key={key}
                  // A change is asked for now and then: it does not call.
                  variant={key === next?.key && key !== 'change' ? 'filled' : 'default'}
                  {...(tone === 'refused' && { color: 'red' })}
                  disabled={disabled !== undefined}
                  title={disabled}
                  {...(key === 'discuss' && { leftSection: <IconCalendarPlus size={16} aria-hidden /> })}
                  onClick={() => (asked ? setAsking(asked) : onSelect?.())}
                >
                  {label}
                </Button>
              )
            })}
          </div>
        )}
        {asking && <ThesisAsking step={asking} row={row} whole={whole} onClose={() => setAsking(null)} />}
      </div>
    </Card>
  )
}
