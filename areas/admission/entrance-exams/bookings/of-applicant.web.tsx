import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Failed, Status, act, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatInstant, formatNumber, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { AppointmentTime, usePlaceOf } from '../appointments/when.web.tsx'
import { entranceResultCalls } from '../results/result.contract.ts'
import { ENTRANCE_ATTENDANCE, ENTRANCE_KINDS } from '../words.contract.ts'
import { entranceBookingCalls as calls, type AskedAppointment } from './booking.contract.ts'
import css from '../entrance-exams.module.css'

type Exam = ResponseOf<typeof calls.ofApplicant>['data']
const REFRESHES = ['/applicants', '/entrance-exams', '/entrance-appointments'] as const

/** Appointments and results of an applicant, as the desk sees and changes them. */
export function ExamOfApplicant({ row: { id } }: { readonly row: { readonly id: number } }) {
  const t = useT('entrance-exams')
  const { data, error, refetch } = useCall(calls.ofApplicant, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={260} />
  const exam = data.data
  if (!exam.has_exam && !exam.has_interview) return <p className={css.dim}>{t('no_exam_here')}</p>
  const isAt = exam.status === 'exam required'
  return (
    <Stack>
      <Cards>
        {exam.asked.map((one) => (
          <Booked key={one.kind} applicant={id} of={one} />
        ))}
        <Card title={t('result')} text={isAt ? t('result_text') : undefined}>
          {isAt && may('enter_applicant_result') ? <EnterResult applicant={id} exam={exam} /> : <Result exam={exam} />}
        </Card>
      </Cards>
      {exam.earlier.length > 0 && (
        <Card title={t('earlier')}>
          <Earlier of={exam.earlier} />
        </Card>
      )}
    </Stack>
  )
}

/** Where an applicant comes to, and what else is free. */
function Booked({ applicant, of }: { readonly applicant: number; readonly of: AskedAppointment }) {
  const t = useT('entrance-exams')
  const say = useLabel()
  const [open, setOpen] = useState(false)
  const { busy, send } = useChange(...REFRESHES)
  const kind = ENTRANCE_KINDS.find(({ value }) => value === of.kind)
  const attendance = ENTRANCE_ATTENDANCE.find(({ value }) => value === of.attendance)
  const manages = may('manage_entrance_exam')
  const book = (appointment_id: number) =>
    void act({
      go: async () => {
        const { data } = await send(calls.book, { body: { applicant_ids: [applicant], appointment_id } })
        const [failed] = data.failed
        return failed ? failed.errors.map((one) => problemText(one)).join(' ') : null
      },
      done: (refused) => {
        setOpen(false)
        return refused ?? t('booked')
      },
    })
  const unbook = (id: number) =>
    void act({
      ask: { title: t('unbook_title'), consequence: t('unbook_text'), action: t('unbook') },
      go: () => send(calls.unbook, { params: { id } }),
      done: () => t('unbooked'),
    })
  const id = of.booking_id
  return (
    <Card title={kind && say(kind.label)} text={of.appointment ? undefined : t('no_appointment')}>
      {of.appointment && <AppointmentTime of={of.appointment} />}
      {attendance && <Status tone={attendance.tone} label={say(attendance.label)} />}
      {of.why && <p className={css.dim}>{problemText(of.why)}</p>}
      {manages && of.changeable && (
        <div className={css.buttons}>
          <Button size="xs" variant="default" onClick={() => setOpen(!open)}>
            {t(open ? 'keep_it' : of.appointment ? 'change_it' : 'give_appointment')}
          </Button>
          {id !== null && of.attendance === null && (
            <Button size="xs" variant="subtle" color="red" onClick={() => unbook(id)}>
              {t('unbook')}
            </Button>
          )}
        </div>
      )}
      {open &&
        (of.free.length === 0 ? (
          <p className={css.dim}>{t('nothing_free_desk')}</p>
        ) : (
          <ul className={css.choices}>
            {of.free.map((one) => (
              <li key={one.id}>
                <AppointmentTime of={one} aside={t('free_count', { n: formatNumber(one.free) })} />
                <Button size="xs" variant="default" loading={busy} onClick={() => book(one.id)}>
                  {t('choose_this')}
                </Button>
              </li>
            ))}
          </ul>
        ))}
    </Card>
  )
}

function Result({ exam }: { readonly exam: Exam }) {
  const t = useT('entrance-exams')
  return (
    <>
      {exam.exam_result !== null && <p>{t('result_is', { result: exam.exam_result })}</p>}
      {exam.has_interview && exam.interview_passed !== null && (
        <p>{t(exam.interview_passed ? 'interview_yes' : 'interview_no')}</p>
      )}
      {exam.exam_result === null && exam.interview_passed === null && <p className={css.dim}>{t('no_result')}</p>}
    </>
  )
}

const INTERVIEW = ['yes', 'no'] as const

/** What the exam and the interview came to. Once both are known the application goes on by itself. */
function EnterResult({ applicant, exam }: { readonly applicant: number; readonly exam: Exam }) {
  const t = useT('entrance-exams')
  const { send } = useChange(...REFRESHES)
  const interview = exam.interview_passed === null ? null : exam.interview_passed ? 'yes' : 'no'
  return (
    <Form
      key={exam.version}
      fields={{
        exam_result: f.decimal(asLabel(t('result_percent')), { places: 2, min: 0, max: 100 }),
        ...(exam.has_interview && {
          interview: f.choice(
            asLabel(t('interview')),
            INTERVIEW.map((value) => ({ value, label: asLabel(t(`interview_${value}`)) })),
          ),
        }),
      }}
      values={{ exam_result: exam.exam_result, interview }}
      bar="dialog"
      submit={t('enter_result')}
      onSave={async (values) => {
        const given = values as { exam_result?: string | null; interview?: 'yes' | 'no' | null }
        const { data } = await send(entranceResultCalls.enter, {
          params: { id: applicant },
          body: {
            exam_result: given.exam_result ?? null,
            ...(exam.has_interview && { interview_passed: given.interview ? given.interview === 'yes' : null }),
            version: exam.version,
          },
        })
        return data.outcome
      }}
      onSaved={(outcome) => notify.done(t(`outcome_${outcome}`))}
    >
      {exam.min_exam !== null && <p className={css.dim}>{t('passed_from', { min: exam.min_exam })}</p>}
      <Field name="exam_result" wide />
      {exam.has_interview && <Field name="interview" wide />}
    </Form>
  )
}

function Earlier({ of }: { readonly of: Exam['earlier'] }) {
  const t = useT('entrance-exams')
  const say = useLabel()
  const placeOf = usePlaceOf()
  return (
    <ul className={css.list}>
      {of.map((one) => {
        const kind = ENTRANCE_KINDS.find(({ value }) => value === one.appointment.kind)
        const attendance = ENTRANCE_ATTENDANCE.find(({ value }) => value === one.attendance)
        return (
          <li key={one.id}>
            {kind && say(kind.label)} <Code>{one.appointment.code}</Code> · {formatInstant(one.appointment.begins_at)} ·{' '}
            <bdi>{placeOf(one.appointment)}</bdi> · {t('attempt', { n: formatNumber(one.attempt) })}{' '}
            {attendance ? (
              <Status tone={attendance.tone} label={say(attendance.label)} />
            ) : (
              one.ended && <Status is="cancelled" label={t('taken_back')} />
            )}
          </li>
        )
      })}
    </ul>
  )
}
