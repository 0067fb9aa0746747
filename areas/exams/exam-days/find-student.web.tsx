import { Button, Textarea } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { useAtLeast } from '#kit/web/form/least.ts'
import { Optional } from '#kit/web/form/optional.tsx'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatDate, problemText, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { absenceCalls } from './absences/absence.contract.ts'
import { MOST_FOUND, type StudentInfo } from './records.contract.ts'
import { examCaseCalls } from './cases/case.contract.ts'
import css from './exam-days.module.css'

type Sat = StudentInfo['exams'][number]

/** Finds a student, shows the exams that he or she was to sit, and records an absence or opens an investigation in one. */
export function FindStudent({ what, onClose }: { what: 'absence' | 'case'; onClose: () => void }) {
  const t = useT('exam-days')
  const atLeast = useAtLeast()
  const { busy, problem, go, send } = useChange('/exam-absences', '/exam-punishment', '/users/work')
  const [sought, setSought] = useState('')
  const [said, setSaid] = useState('')
  const [found, setFound] = useState<readonly StudentInfo[] | null>(null)
  const ask = async (text: string) => {
    const call = what === 'absence' ? absenceCalls.studentInfo : examCaseCalls.studentInfo
    const { data } = await send(call, { body: { text } })
    setFound(data)
  }
  const search = (text: string) => {
    setSought(text)
    void go(() => ask(text))
  }
  const take = (one: Sat, name: string) =>
    void go(async () => {
      const { exam_schedule_id, registration_id } = one
      if (what === 'absence')
        await send(absenceCalls.record, { body: { exam_schedule_id, registration_id, note: said.trim() || null } })
      else await send(examCaseCalls.open, { body: { exam_schedule_id, registration_id, what: said } })
      notify.done(
        t(what === 'absence' ? 'absence_done' : 'case_done', { student: name, course: one.course.code ?? '' }),
      )
      setSaid('')
      await ask(sought)
    })
  const stands = (one: Sat) => (what === 'absence' ? one.absence : one.case)
  /** Nothing of the kind stands: it can be recorded, or opened. */
  const isOpen = (one: Sat) => [null, 'cancelled', 'cleared'].includes(stands(one))
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t(what === 'absence' ? 'record_absence' : 'open_case')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <PlainForm className={css.buttons} role="search" busy={busy} send={({ text = '' }) => search(text)}>
          <Asked
            name="text"
            className={css.grow}
            data-autofocus
            label={t('student_text')}
            autoComplete="off"
            rule={atLeast(2)}
          />
          <Button type="submit" className={css.low} loading={busy} leftSection={<IconSearch size={16} aria-hidden />}>
            {t('find')}
          </Button>
        </PlainForm>
        {problem !== null && <Problems error={problem} />}
        {found !== null && !found.length && <p className={css.text}>{t('student_none')}</p>}
        {found !== null && found.length > 0 && (
          <Textarea
            label={what === 'absence' ? <Optional label={t('note')} /> : t('what_happened')}
            autosize
            minRows={2}
            maxLength={what === 'absence' ? 500 : 2000}
            value={said}
            onChange={(event) => setSaid(event.currentTarget.value)}
          />
        )}
        {found?.map(({ student, exams }) => (
          <section key={student.id}>
            <h3 className={css.who}>
              <Name row={student} /> <Code>{student.code}</Code>
            </h3>
            <ul className={css.halls}>
              {exams.map((one) => (
                <li key={one.exam_schedule_id}>
                  <span className={css.hall}>
                    <Name row={one.course} /> <Code>{one.course.code}</Code>
                    <small>
                      <Name row={one.exam} /> · {formatDate(one.date)} <Code>{one.from}</Code>
                      {one.hall && (
                        <>
                          {' '}
                          · <Code>{`${one.hall} / ${one.seat}`}</Code>
                        </>
                      )}
                    </small>
                    {one.begun && one.refused && <small className={css.warn}>{problemText(one.refused)}</small>}
                    {one.stands_against && isOpen(one) && (
                      <small className={css.warn}>
                        {t('no_punishment_now', { why: problemText(one.stands_against) })}
                      </small>
                    )}
                  </span>
                  {one.refused === null && isOpen(one) ? (
                    <Submit
                      variant="default"
                      size="compact-sm"
                      loading={busy}
                      missing={[what === 'case' && said.trim().length < 3 && t('what_happened')]}
                      onClick={() => take(one, student.code ?? '')}
                    >
                      {t(what === 'absence' ? 'mark_absent' : 'open_case')}
                    </Submit>
                  ) : (
                    // What it says is why it cannot be pressed.
                    <Button variant="default" size="compact-sm" disabled>
                      {t(!one.begun ? 'not_begun' : what === 'absence' ? 'is_absent' : 'case_stands')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
        <OnlyFirst rows={found?.length ?? 0} most={MOST_FOUND} found />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}
