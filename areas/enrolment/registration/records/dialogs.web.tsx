import { Modal } from '@mantine/core'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'

/** Finds the student whose registration is to be opened. */
export function RegisterStudentDialog({ onClose }: { onClose: () => void }) {
  const t = useT('registration')
  const navigate = useNavigate()
  return (
    <Modal opened onClose={onClose} title={t('register_student')}>
      <LookupInput
        autoFocus
        resource="student"
        label={t('student')}
        defaultValue={null}
        onChange={(id) => {
          if (id !== null) void navigate(to('/advising/registration/:id', { id }))
        }}
      />
    </Modal>
  )
}
