import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
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
  onSave: (name: string) => void
  onClose: () => void
}) {
  const t = useT('kit-screens')
  const [name, setName] = useState('')
  const clean = name.trim()
  return (
    <Modal opened closeButtonProps={{ 'aria-label': t('close') }} onClose={onClose} title={t('save_view')} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (clean) onSave(clean)
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
        <div className={css.dialogButtons}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={!clean}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
