import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Problems } from '../feedback/index.ts'
import { Submit } from '../feedback/submit.tsx'
import { useT } from '../i18n/index.ts'
import fieldCss from '../fields/fields.module.css'
import css from './list.module.css'

/** Names the present view of a list. A name that exists is replaced. */
export default function SaveViewDialog({
  taken,
  onSave,
  onClose,
}: {
  taken: readonly string[]
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const t = useT('kit-screens')
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const clean = name.trim()
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      await onSave(clean)
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Modal opened closeButtonProps={{ 'aria-label': t('close') }} onClose={onClose} title={t('save_view')} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (clean && !busy) void save()
        }}
      >
        <TextInput
          data-autofocus
          label={t('view_name')}
          description={taken.includes(clean) ? t('view_replaces') : t('view_help')}
          maxLength={40}
          classNames={{ input: fieldCss.auto }}
          attributes={{ input: { dir: 'auto' } }}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {error !== null && <Problems error={error} />}
        <div className={css.dialogButtons}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Submit type="submit" loading={busy} missing={[!clean && t('view_name')]}>
            {t('save')}
          </Submit>
        </div>
      </form>
    </Modal>
  )
}
