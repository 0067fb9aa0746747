import { dayOf } from '#kit/contract/day.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { EXAM_KINDS } from '#areas/common/academics/exam-words.contract.ts'
import { scheduleCalls as calls } from './lists.contract.ts'
import type { ListedExam } from './lists.contract.ts'
import { INVIGILATOR_ROLES } from './schedule.contract.ts'
import css from './own.module.css'

/** The exams that I sit, and those that I invigilate: when, where and on which seat. */
export default function MyExams() {
  const t = useT('exams')
  const { user } = useMe()
  return (
    <Page title={t('my_exams')}>
      <Stack>
        {user.student_id !== null && <Sat id={user.student_id} />}
        {user.instructor_id !== null && <Invigilated heading={user.student_id !== null} />}
      </Stack>
    </Page>
  )
}

function Sat({ id }: { id: number }) {
  const answer = useCall(calls.ofType, { params: { id, type: 'student' } })
  return <Exams answer={answer} />
}
function Invigilated({ heading }: { heading: boolean }) {
  const t = useT('exams')
  const answer = useCall(calls.ownInstructor, { body: {} })
  return <Exams answer={answer} invigilates title={heading ? t('invigilated') : undefined} />
}

interface Answer {
  readonly data: { data: ListedExam[] } | undefined
  readonly error: unknown
  refetch(): Promise<unknown>
}

/** Day by day, those to come first. */
function Exams({
  answer: { data, error, refetch },
  title,
  invigilates = false,
}: {
  answer: Answer
  title?: string | undefined
  invigilates?: boolean
}) {
  const t = useT('exams')
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  const today = dayOf()
  const days = [...Map.groupBy(data.data, (one) => one.on_date)]
  const [past, coming] = [days.filter(([day]) => day < today).toReversed(), days.filter(([day]) => day >= today)]
  return (
    <>
      {title && <h2 className={css.heading}>{title}</h2>}
      {!days.length && (
        <Empty
          title={t(invigilates ? 'none_invigilated' : 'none_sat')}
          text={t(invigilates ? 'none_invigilated_text' : 'none_sat_text')}
        />
      )}
      {coming.map(([day, exams]) => (
        <Day key={day} day={day} exams={exams} invigilates={invigilates} />
      ))}
      {past.length > 0 && <h2 className={css.heading}>{t('past')}</h2>}
      {past.map(([day, exams]) => (
        <Day key={day} day={day} exams={exams} invigilates={invigilates} />
      ))}
    </>
  )
}

function Day({ day, exams, invigilates }: { day: string; exams: readonly ListedExam[]; invigilates: boolean }) {
  const lang = useLanguage()
  return (
    <Card title={formatDate(day, 'weekday', lang)}>
      <ul className={css.exams}>
        {exams.map((one) => (
          <Exam key={one.id} one={one} invigilates={invigilates} />
        ))}
      </ul>
    </Card>
  )
}

function Exam({ one, invigilates }: { one: ListedExam; invigilates: boolean }) {
  const t = useT('exams')
  const say = useLabel()
  const lang = useLanguage()
  const kind = EXAM_KINDS.find(({ value }) => value === one.exam.kind)
  const own = invigilates ? one.duty : one.seat
  const halls = own ? one.halls.filter((hall) => hall.id === own.location_id) : one.halls
  const role = invigilates && INVIGILATOR_ROLES.find(({ value }) => value === one.duty?.role)
  const allowed = [one.open_book && t('open_book'), one.calculator && t('calculator')].filter(Boolean)
  return (
    <li className={css.exam}>
      <span className={css.time} dir="ltr">
        {one.starts}–{one.ends}
      </span>
      <span className={css.what}>
        <b>{nameOf(one.offering, lang)}</b>
        <span className={css.dim}>
          <Code>{one.offering.code}</Code> {kind && `· ${say(kind.label)}`}
        </span>
        {allowed.length > 0 && <span className={css.dim}>{allowed.join(' · ')}</span>}
        {one.instructions && <span>{one.instructions}</span>}
      </span>
      <span className={css.where}>
        {halls.length ? halls.map((hall) => nameOf(hall, lang)).join(' · ') : t('hall_to_come')}
        {role && <span className={css.dim}>{say(role.label)}</span>}
        {!invigilates && one.seat && <b>{t('seat', { number: formatNumber(one.seat.number) })}</b>}
      </span>
    </li>
  )
}
