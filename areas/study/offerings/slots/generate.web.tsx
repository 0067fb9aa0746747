import { Alert, Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { MEETING_TYPES } from '#kit/contract/week.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import css from '../offerings.module.css'
import type { OfferingRow } from '../parts.web.tsx'
import { offeringSlotCalls } from './slots.contract.ts'

const sectionsOf = (type: string): string => `sections_${type}`

/** Makes groups and meetings from the hours of the course, and finds them a place if wanted. */
export function Generate({ row, onClose }: { row: OfferingRow; onClose: () => void }) {
  const t = useT('offerings')
  const say = useLabel()
  const { send } = useChange('/offerings')
  const kinds = MEETING_TYPES.filter((m) => (row.hours?.[m.value] ?? 0) > 0)
  const [answer, setAnswer] = useState<ResponseOf<typeof offeringSlotCalls.generate> | null>(null)
  const first = row.groups?.[0]?.meetings[0]
  const whole = (text: string, min: number, max: number) => f.integer(asLabel(text), { required: true, min, max })
  return (
    <Modal opened onClose={onClose} title={t('generate_title')} size="lg">
      {answer ? (
        <Unplaced answer={answer} onClose={onClose} />
      ) : (
        <Form
          fields={{
            groups: whole(t('groups_number'), 1, 500),
            quota: whole(t('quota'), 1, 10_000),
            over_quota: whole(t('over_quota'), 0, 10_000),
            ...Object.fromEntries(
              kinds.map(({ value, label }) => [
                sectionsOf(value),
                whole(t('sections_of', { type: say(label), hours: formatNumber(row.hours![value]) }), 1, 26),
              ]),
            ),
            place: f.flag(asLabel(t('place')), { help: asLabel(t('place_text')) }),
            replace: f.flag(asLabel(t('replace')), { help: asLabel(t('replace_text')) }),
          }}
          values={{
            groups: Math.max(1, row.groups?.length ?? 1),
            quota: first?.quota ?? 60,
            over_quota: first?.over_quota ?? 3,
            ...Object.fromEntries(kinds.map(({ value }) => [sectionsOf(value), 1])),
            place: true,
            replace: false,
          }}
          bar="dialog"
          always
          submit={t('generate')}
          missing={[!kinds.length && t('no_hours')]}
          onCancel={onClose}
          onSave={(values) =>
            send(offeringSlotCalls.generate, {
              params: { id: row.id },
              body: {
                groups: Number(values.groups),
                quota: Number(values.quota),
                over_quota: Number(values.over_quota),
                types: kinds.map(({ value }) => ({ type: value, sections: Number(values[sectionsOf(value)]) })),
                replace: values.replace === true,
                place: values.place === true,
              },
            })
          }
          onSaved={(result) => {
            if (result.unplaced.length) return setAnswer(result)
            notify.done(t('generated', { count: result.added, placed: result.placed }))
            onClose()
          }}
        >
          <p className={css.dim} style={{ margin: 0 }}>
            {t('generate_text')}
          </p>
          <div className={css.dialogNumbers}>
            <Field name="groups" autoFocus />
            <Field name="quota" />
            <Field name="over_quota" />
          </div>
          {kinds.length ? (
            <div className={css.dialogNumbers}>
              {kinds.map(({ value }) => (
                <Field key={value} name={sectionsOf(value)} />
              ))}
            </div>
          ) : (
            <Alert color="yellow">{t('no_hours')}</Alert>
          )}
          <Field name="place" />
          <Field name="replace" />
        </Form>
      )}
    </Modal>
  )
}

/** Meetings that found no place, and why. */
function Unplaced({ answer, onClose }: { answer: ResponseOf<typeof offeringSlotCalls.generate>; onClose: () => void }) {
  const t = useT('offerings')
  const k = useT('kit-screens')
  return (
    <Stack>
      <p>{t('generated', { count: answer.added, placed: answer.placed })}</p>
      <Alert color="yellow" title={t('unplaced_title', { count: answer.unplaced.length })}>
        <ul>
          {answer.unplaced.map((one) => (
            <li key={one.id}>
              {t('group', { number: one.group })} <MeetingType {...one} />: {t(`no_place_${one.reason}`)}
            </li>
          ))}
        </ul>
      </Alert>
      <div className={css.cardActions}>
        <Button onClick={onClose}>{k('close')}</Button>
      </div>
    </Stack>
  )
}
