import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { problemText, useT } from '#kit/web/i18n/index.ts'
import { bulkCalls, type BulkResult } from '../changes/bulk.contract.ts'
import css from '../desk/desk.module.css'

type Mode = 'enroll' | 'remove' | 'exempt'
interface Typed {
  readonly offering_id: number
  readonly student_ids: number[]
  readonly reason: string | null
  readonly improve?: boolean
  readonly over_quota?: boolean
}

/** Many students in one offering: enrolled, removed or exempted, with a result for each. */
export default function BulkDialog({ mode, onClose }: { mode: Mode; onClose: () => void }) {
  const t = useT('registration')
  const me = useMe()
  const { send } = useChange('/registrations')
  const [result, setResult] = useState<BulkResult | null>(null)
  const enrolls = mode === 'enroll'
  const over = enrolls && me.can('use_over_quota')
  const counted = (students: unknown) => (Array.isArray(students) ? students.length : 0)
  const go = ({ offering_id, student_ids, reason, improve, over_quota }: Typed) => {
    const why = reason?.trim() ?? ''
    if (mode === 'enroll')
      return send(bulkCalls.enroll, {
        body: {
          offering_id,
          student_ids,
          improve: improve === true,
          over_quota: over_quota === true,
          reason: why || null,
        },
      })
    if (mode === 'remove')
      return send(bulkCalls.remove, { params: { offering_id }, body: { student_ids, reason: why } })
    return send(bulkCalls.exempt, { body: { offering_id, student_ids, reason: why } })
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={t(`bulk_${mode}`)}>
      {result ? (
        <Outcome of={result} onClose={onClose} />
      ) : (
        <Form
          fields={{
            offering_id: f.lookup(asLabel(t('offering')), 'offering', { required: true }),
            student_ids: f.lookups(asLabel(t('students')), 'student', {
              required: true,
              // Nothing is stored through it here: the call takes ids.
              through: { table: '', from: '', to: '' },
            }),
            ...(enrolls && {
              improve: f.flag(asLabel(t('enroll_improve')), { help: asLabel(t('enroll_improve_text')) }),
            }),
            ...(over && { over_quota: f.flag(asLabel(t('use_over_quota'))) }),
            reason: f.longText(asLabel(t('reason')), {
              required: !enrolls,
              max: 500,
              help: asLabel(t('reason_text')),
            }),
          }}
          bar="dialog"
          always
          weight={({ student_ids }) => ({ heavy: true, whom: { count: counted(student_ids), names: [] } })}
          submit={({ student_ids }) => t(`bulk_${mode}_go`, { count: counted(student_ids) })}
          onCancel={onClose}
          onSave={(values) => go(values as unknown as Typed)}
          onSaved={setResult}
        >
          <p className={css.dialogText}>{t(`bulk_${mode}_text`)}</p>
          <div className={css.fields}>
            <Field name="offering_id" autoFocus />
            <Field name="student_ids" />
          </div>
          {enrolls && <Field name="improve" />}
          {over && <Field name="over_quota" />}
          <Field name="reason" />
        </Form>
      )}
    </Modal>
  )
}

/** How many it happened to, and why not to the others. */
function Outcome({ of, onClose }: { of: BulkResult; onClose: () => void }) {
  const t = useT('registration')
  const tk = useT('kit')
  return (
    <>
      {/* Of one that was refused a count says nothing that the line below does not. */}
      {(of.done.length > 0 || of.failed.length > 1) && (
        <p className={css.dialogText}>{t('bulk_result', { count: of.done.length, failed: of.failed.length })}</p>
      )}
      <ul className={css.plainList}>
        {of.failed.map((one) => (
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
  )
}

/** A student by id, with the name the lookup knows. */
function FailedStudent({ id }: { id: number }) {
  return <LookupInput resource="student" defaultValue={id} disabled clearable={false} onChange={() => {}} />
}
