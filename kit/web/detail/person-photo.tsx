import { FileButton } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '../api/hooks.ts'
import { notify } from '../feedback/notify.tsx'
import { useT } from '../i18n/catalogue.ts'
import { initialsOf, nameOf } from '../i18n/format.ts'
import type { Named } from '../i18n/format.ts'
import { calls } from '../auth/calls.ts'
import css from './detail.module.css'

/** The photo of a person, or initials where there is none; who may changes it by pressing it. */
export function PersonPhoto({
  kind,
  person,
}: {
  kind: 'user' | 'student' | 'instructor'
  person: Named & { readonly id: number }
}) {
  const t = useT('kit')
  const params = { kind, id: person.id }
  const { data } = useCall(calls.photoOf, { params })
  const { send } = useChange('/people')
  const [busy, setBusy] = useState(false)
  const { photo = null, user_id = null, may_change = false } = data?.data ?? {}
  const change = async (file: File | null) => {
    if (!file || user_id === null) return
    setBusy(true)
    try {
      await send(calls.updatePhoto, { params: { id: user_id }, file })
      notify.done(t('photo_changed'))
    } catch (problem) {
      notify.error(problem, (why) => t('photo_failed', { why }))
    }
    setBusy(false)
  }
  const shown = photo ? (
    <img className={css.photo} src={photo} alt="" />
  ) : (
    <span className={css.photo} aria-hidden="true">
      {initialsOf(nameOf(person))}
    </span>
  )
  if (!may_change || user_id === null) return shown
  return (
    <span className={css.photoChange}>
      {shown}
      <FileButton accept="image/png,image/jpeg" onChange={(file) => void change(file)}>
        {(props) => (
          <button
            {...props}
            type="button"
            disabled={busy}
            aria-busy={busy}
            title={t('change_photo')}
            aria-label={t('change_photo')}
          >
            <IconCamera size={14} aria-hidden />
          </button>
        )}
      </FileButton>
    </span>
  )
}
