import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import css from '../hotels.module.css'
import { GUEST_KINDS } from '../places/hostel.contract.ts'
import { stayCalls, type StayDetail } from './stay.contract.ts'
import { STAY_PATHS } from './use-steps.web.ts'

/** Says which record a guest has that was entered by a name alone: from then on somebody is charged. */
export default function WhoDialog({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const t = useT('hotels')
  const { send } = useChange(...STAY_PATHS)
  return (
    <Dialog opened onClose={onClose} title={t('name_guest')} closeButtonProps={{ 'aria-label': t('close') }}>
      <p className={css.dim}>{t('name_guest_text')}</p>
      <Form
        fields={(typed) => ({
          kind: f.choice(
            asLabel(t('guest_kind')),
            GUEST_KINDS.filter(({ value }) => value !== 'students'),
            { required: true },
          ),
          ...(typed.kind === 'staff'
            ? { staff_id: f.lookup(asLabel(t('staff')), 'staff', { required: true }) }
            : { guest_id: f.lookup(asLabel(t('guest')), 'guest', { required: true }) }),
        })}
        values={{ kind: 'guests' }}
        bar="dialog"
        always
        submit={t('save_guest')}
        onCancel={onClose}
        onSave={(typed) =>
          send(stayCalls.nameGuest, {
            params: { id: stay.id },
            body: {
              ...(typed.kind === 'staff' ? { staff_id: Number(typed.staff_id) } : { guest_id: Number(typed.guest_id) }),
              version: stay.version,
            },
          })
        }
        onSaved={onClose}
      />
    </Dialog>
  )
}
