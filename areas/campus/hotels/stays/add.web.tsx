import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { GUEST_KINDS } from '../places/hostel.contract.ts'
import { BED_PRIORITIES, stayCalls, stayFields } from './stay.contract.ts'
import { STAY_PATHS } from './use-steps.web.ts'
import { wishFields, wishOf } from './wish-fields.web.ts'

/** Asks for a bed on behalf of somebody: a student, who works here, or a guest. */
export default function AskBed() {
  const t = useT('hotels')
  const navigate = useNavigate()
  const { data, error, refetch } = useCall(stayCalls.hotelLookups, { body: {} })
  const { send } = useChange(...STAY_PATHS)
  const [key] = useState(() => crypto.randomUUID())
  return (
    <Page title={t('ask')} wide={false}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={420} />
      ) : (
        <Form
          draft="hotel_reservation"
          fields={(typed) => ({
            whose: f.choice(asLabel(t('guest_kind')), GUEST_KINDS, { required: true }),
            ...(typed.whose === 'staff'
              ? { staff_id: f.lookup(asLabel(t('staff')), 'staff', { required: true }) }
              : typed.whose === 'guests'
                ? {
                    guest_id: f.lookup(asLabel(t('guest')), 'guest', {
                      required: true,
                      help: asLabel(t('guest_help')),
                    }),
                  }
                : { student_id: f.lookup(asLabel(t('student')), 'student', { required: true }) }),
            ...(typed.whose === 'students'
              ? {}
              : {
                  gender: f.choice(
                    asLabel(t('gender')),
                    [
                      { value: 1, label: asLabel(t('male')) },
                      { value: 2, label: asLabel(t('female')) },
                    ],
                    { required: true },
                  ),
                }),
            ...wishFields(t, data.data, typed),
            priority: f.choice(stayFields.priority.label, BED_PRIORITIES, { required: true }),
          })}
          values={{ unit: 'night', whose: 'students', priority: 3 }}
          always
          submit={t('ask')}
          onSave={(typed) =>
            send(stayCalls.createReservation, {
              body: {
                ...wishOf(typed, key),
                student_id: typed.whose === 'students' ? Number(typed.student_id) : null,
                staff_id: typed.whose === 'staff' ? Number(typed.staff_id) : null,
                guest_id: typed.whose === 'guests' ? Number(typed.guest_id) : null,
                gender: typed.whose === 'students' ? null : Number(typed.gender),
                priority: Number(typed.priority ?? 3),
              },
            })
          }
          onSaved={({ data: made }) => {
            notify.done(t('asked'))
            void navigate(to('/reservation/:id', { id: made.id }))
          }}
        />
      )}
    </Page>
  )
}
