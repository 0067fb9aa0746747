import { Button, Checkbox, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { TypedToConfirm, isTyped, labelToConfirm, wantedFor } from '#kit/web/feedback/weight.tsx'
import { LookupInput, LookupsInput } from '#kit/web/fields/lookup-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { problemText, useT } from '#kit/web/i18n/index.ts'
import { bulkCalls, type BulkResult } from '../changes/bulk.contract.ts'
import css from '../desk/desk.module.css'

/** Many students in one offering: enrolled, removed or exempted, with a result for each. */
export default function BulkDialog({ mode, onClose }: { mode: 'enroll' | 'remove' | 'exempt'; onClose: () => void }) {
  const t = useT('registration')
  const tk = useT('kit')
  const me = useMe()
  const [offering, setOffering] = useState<number | null>(null)
  const [students, setStudents] = useState<number[]>([])
  const [reason, setReason] = useState('')
  const [over, setOver] = useState(false)
  const [improve, setImprove] = useState(false)
  const { problem: error, busy, go: change, send } = useChange('/registrations')
  const [result, setResult] = useState<BulkResult | null>(null)
  const [typed, setTyped] = useState('')
  const weight = { heavy: true, whom: { count: students.length, names: [] } }
  const go = async () => {
    if (offering === null) return
    const why = reason.trim()
    const done = await change(() =>
      mode === 'enroll'
        ? send(bulkCalls.enroll, {
            body: { offering_id: offering, student_ids: students, improve, over_quota: over, reason: why || null },
          })
        : mode === 'remove'
          ? send(bulkCalls.remove, {
              params: { offering_id: offering },
              body: { student_ids: students, reason: why },
            })
          : send(bulkCalls.exempt, { body: { offering_id: offering, student_ids: students, reason: why } }),
    )
    if (!done) return
    setResult(done.answer)
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={t(`bulk_${mode}`)}>
      {result ? (
        <>
          {/* Of one that was refused a count says nothing that the line below does not. */}
          {(result.done.length > 0 || result.failed.length > 1) && (
            <p className={css.dialogText}>
              {t('bulk_result', { count: result.done.length, failed: result.failed.length })}
            </p>
          )}
          <ul className={css.plainList}>
            {result.failed.map((one) => (
              <li key={one.id}>
                <FailedStudent id={one.id} />
                <ul>
                  {one.errors.map((problem, i) => (
                    <li key={i} dir="auto">
                      {problemText(problem)}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
          <div className={css.dialogActions}>
            <Button onClick={onClose}>{tk('close')}</Button>
          </div>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void go()
          }}
        >
          <p className={css.dialogText}>{t(`bulk_${mode}_text`)}</p>
          {error !== null && <Problems error={error} />}
          <div className={css.fields}>
            <LookupInput
              autoFocus
              resource="offering"
              label={t('offering')}
              defaultValue={null}
              onChange={setOffering}
            />
            <LookupsInput resource="student" label={t('students')} defaultValue={[]} onChange={setStudents} />
          </div>
          {mode === 'enroll' && (
            <Checkbox
              mt={10}
              label={t('enroll_improve')}
              description={t('enroll_improve_text')}
              checked={improve}
              onChange={(event) => setImprove(event.currentTarget.checked)}
            />
          )}
          {mode === 'enroll' && me.can('use_over_quota') && (
            <Checkbox
              mt={10}
              label={t('use_over_quota')}
              checked={over}
              onChange={(event) => setOver(event.currentTarget.checked)}
            />
          )}
          <Textarea
            mt={10}
            autosize
            minRows={2}
            label={mode === 'enroll' ? <Optional label={t('reason')} /> : t('reason')}
            description={t('reason_text')}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <TypedToConfirm of={weight} value={typed} onChange={setTyped} />
          <div className={css.dialogActions}>
            <Button variant="default" onClick={onClose}>
              {tk('cancel')}
            </Button>
            <Submit
              type="submit"
              loading={busy}
              missing={[
                offering === null && t('offering'),
                !students.length && t('students'),
                mode !== 'enroll' && reason.trim() === '' && t('reason'),
                !isTyped(wantedFor(weight), typed) && labelToConfirm(tk, weight),
              ]}
            >
              {t(`bulk_${mode}_go`, { count: students.length })}
            </Submit>
          </div>
        </form>
      )}
    </Modal>
  )
}

/** A student by id, with the name the lookup knows. */
function FailedStudent({ id }: { id: number }) {
  return <LookupInput resource="student" defaultValue={id} disabled clearable={false} onChange={() => {}} />
}
