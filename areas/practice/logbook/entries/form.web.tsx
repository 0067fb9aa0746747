import { Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import type { Fields } from '#kit/contract/field.ts'
import { dayOf } from '#kit/contract/day.ts'
import { ApiError, isOffline, useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { problemText, useT } from '#kit/web/i18n/index.ts'
import { forgetWaiting, waitFor } from '#kit/web/offline/waiting.ts'
import { canSeal, sealPin } from '../confirm/seal.web.ts'
import { LOGBOOK_ROLE_WORDS, logbookCalls as calls, type Logbook, type SentEntry } from './entry.contract.ts'
import { patientProblem } from './patient.contract.ts'
import { patientData } from './patient.rules.ts'
import { waitingEntry } from './waiting.web.ts'

/** The rotation in which the intern is today, else the last one. */
const rotationNow = ({ rotations }: Logbook) => {
  const today = dayOf()
  return rotations.find(({ starts_on, ends_on }) => starts_on <= today && today <= ends_on) ?? rotations[0]
}
const choices = (rows: readonly { id: number; name: string; name_local?: string | null | undefined }[]) =>
  rows.map(({ id, name, name_local }) => ({ value: String(id), label: [name, name_local ?? name] as const }))

/** Sends an entry now; without a line it waits on the phone. A refusal is thrown, and stands at its fields. */
export function useSendEntry() {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/logbook', '/logbook-entries')
  return async (entry: SentEntry): Promise<void> => {
    try {
      const { data } = await send(calls.sync, { body: { phone_now: new Date().toISOString(), entries: [entry] } })
      const [of] = data
      if (of?.result === 'refused') throw new ApiError(409, { message: of.errors[0]?.code, errors: of.errors })
      forgetWaiting([waitingEntry(entry).id])
      if (of?.errors.length) notify.error(new ApiError(409, { message: of.errors[0]?.code, errors: of.errors }))
      else notify.done(t(of?.confirmed ? 'sent_confirmed' : 'entry_sent'))
    } catch (error) {
      if (!isOffline(error)) throw error
      waitFor([waitingEntry(entry)])
      notify.done(t('kept_on_phone'))
    }
  }
}

/** What was done is entered, or corrected; whoever supervised may confirm it here and now. */
export function EntryDialog({ of, entry, onClose }: { of: Logbook; entry: SentEntry | null; onClose: () => void }) {
  const t = useT('logbook')
  const sendEntry = useSendEntry()
  const [uuid] = useState(() => entry?.uuid ?? crypto.randomUUID())
  // What stands there at first: an answer that comes meanwhile changes nothing of it.
  const [values] = useState(() => {
    if (entry)
      return {
        ...entry,
        rotation_id: String(entry.rotation_id),
        type_id: String(entry.type_id),
        pin: null,
        supervisor: null,
      }
    const first = rotationNow(of)
    return {
      rotation_id: first ? String(first.id) : null,
      role: 'done',
      done_at: new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString(),
    }
  })
  const fields = (typed: Readonly<Record<string, unknown>>): Fields => {
    const rotation = of.rotations.find(({ id }) => String(id) === typed.rotation_id)
    const course = of.courses.find(({ id }) => id === rotation?.course_id)
    return {
      rotation_id: f.choice(
        asLabel(t('rotation')),
        choices(of.rotations.map(({ id, training }) => ({ ...training, id }))),
        {
          required: true,
        },
      ),
      type_id: f.choice(asLabel(t('what')), choices(course?.types ?? []), { required: true }),
      role: f.choice(asLabel(t('role')), LOGBOOK_ROLE_WORDS, { required: true }),
      done_at: f.instant(asLabel(t('when')), { required: true }),
      note: f.longText(asLabel(t('note')), { max: 1000, help: asLabel(t('note_help')) }),
      ...(canSeal() && {
        supervisor: f.choice(asLabel(t('confirmed_here')), choices(rotation?.supervisors ?? [])),
        ...(typed.supervisor != null &&
          typed.supervisor !== '' && {
            pin: f.text(asLabel(t('pin')), { required: true, max: 6, help: asLabel(t('pin_help')) }),
          }),
      }),
    }
  }
  return (
    <Modal opened onClose={onClose} title={t(entry ? 'correct_entry' : 'add_entry')}>
      <Form
        bar="dialog"
        always
        submit={t('keep')}
        onCancel={onClose}
        {...(!entry && { draft: 'logbook-entry' })}
        fields={fields}
        values={values}
        check={({ note }) => {
          const found = patientData(note == null ? null : String(note))
          return found.length
            ? [{ name: 'note', text: found.map((reason) => problemText(patientProblem(reason))).join(' ') }]
            : []
        }}
        missing={(typed) => [
          typed.supervisor != null &&
            typed.supervisor !== '' &&
            !/^\d{6}$/.test(String(typed.pin ?? '')) &&
            t('pin_digits'),
        ]}
        onSave={async (typed) => {
          const instructor_id = typed.supervisor ? Number(typed.supervisor) : null
          await sendEntry({
            uuid,
            revision: entry ? entry.revision + 1 : 1,
            rotation_id: Number(typed.rotation_id),
            type_id: Number(typed.type_id),
            role: typed.role as SentEntry['role'],
            done_at: String(typed.done_at),
            note: typed.note ? String(typed.note) : null,
            phone_at: new Date().toISOString(),
            ...(instructor_id !== null && {
              pin: { instructor_id, sealed: await sealPin(String(typed.pin), uuid, of.pin_key) },
            }),
          })
        }}
        onSaved={onClose}
      />
    </Modal>
  )
}
