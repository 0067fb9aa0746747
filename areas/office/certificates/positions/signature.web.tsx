import { Button, Group } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act } from '#kit/web/feedback/act.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from '../certificates.module.css'
import { signatureCalls } from './signature.contract.ts'

/** The picture of the own signature: shown, replaced, removed. */
export function OwnSignature() {
  const t = useT('certificates')
  const picker = useRef<HTMLInputElement>(null)
  const { data, refetch } = useCall(signatureCalls.own, {})
  const { busy, problem, go, send } = useChange('/certificates/signature')
  if (!data) return null
  const { picture } = data.data
  const keep = async (file: File | undefined) => {
    if (file && (await go(() => send(signatureCalls.keep, { file })))) await refetch()
  }
  const remove = async () => {
    const done = await act({
      go: () => send(signatureCalls.remove, {}),
      done: () => t('signature_removed'),
    })
    if (done) await refetch()
  }
  return (
    <Card title={t('own_signature')} text={t('own_signature_text')}>
      {picture !== null && <img className={css.signature} src={picture} alt={t('own_signature')} />}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          loading={busy}
          leftSection={<IconUpload size={14} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {picture === null ? t('signature_choose') : t('signature_replace')}
        </Button>
        {picture !== null && (
          <Button variant="subtle" size="xs" color="red" onClick={() => void remove()}>
            {t('signature_remove')}
          </Button>
        )}
      </Group>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".png,.jpg,.jpeg"
        aria-label={t('signature_choose')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          void keep(file)
        }}
      />
      {problem !== null && <Problems error={problem} />}
    </Card>
  )
}
