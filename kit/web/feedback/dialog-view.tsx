import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../i18n/catalogue.ts'
import { latinDigits } from '../i18n/format.ts'
import type { Asked } from './dialogs.tsx'
import { wasTold } from './notify.tsx'
import { Problems } from './problems.tsx'
import css from './feedback.module.css'

/** From how many on their number is typed, so that it does not happen by mistake. */
const MANY = 25
/** Names told of those whom it concerns. */
const TOLD = 5

/** One dialog of `confirm` or `alert`; fetched when somebody is asked. */
export default function DialogView({ dialog }: { dialog: Asked }) {
  const t = useT('kit')
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // A number may be typed in the reader's own digits.
  const many = dialog.heavy && dialog.whom && dialog.whom.count >= MANY ? dialog.whom.count : null
  const wanted = dialog.typeName ?? (many === null ? null : String(many))
  const ready =
    wanted === null || latinDigits(typed.replace(/[\s.,٬]/g, '')) === latinDigits(wanted.replace(/[\s.,٬]/g, ''))
  const go = async () => {
    if (!ready || busy) return
    if (!dialog.go) return dialog.answer(true)
    setBusy(true)
    setError(null)
    try {
      await dialog.go()
      dialog.answer(true)
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  const isAlert = dialog.kind === 'alert'
  return (
    <Modal
      opened
      onClose={() => !busy && dialog.answer(false)}
      title={dialog.title}
      size={440}
      withCloseButton={false}
      classNames={{ title: css.dialogTitle, body: css.dialogBody }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        {dialog.consequence && <div className={css.dialogText}>{dialog.consequence}</div>}
        {dialog.whom && dialog.whom.names.length > 0 && (
          <ul className={css.whom}>
            {dialog.whom.names.slice(0, TOLD).map((name, i) => (
              <li key={i}>
                <bdi>{name}</bdi>
              </li>
            ))}
            {dialog.whom.count > Math.min(TOLD, dialog.whom.names.length) && (
              <li>{t('and_more', { count: dialog.whom.count - Math.min(TOLD, dialog.whom.names.length) })}</li>
            )}
          </ul>
        )}
        {wanted !== null && (
          <TextInput
            data-autofocus
            mt="md"
            label={many === null ? t('type_name', { name: wanted }) : t('type_number', { count: many })}
            inputMode={many === null ? undefined : 'numeric'}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            dir="auto"
            autoComplete="off"
          />
        )}
        {error !== null && !wasTold(error) && <Problems error={error} />}
        <div className={css.dialogButtons}>
          {isAlert ? (
            <>
              {dialog.back && (
                <Button
                  variant="default"
                  onClick={() => {
                    dialog.answer(false)
                    dialog.back?.()
                  }}
                >
                  {t('go_back')}
                </Button>
              )}
              <Button type="submit" data-autofocus>
                {dialog.action || t('ok')}
              </Button>
            </>
          ) : (
            <>
              <Button
                variant="default"
                onClick={() => dialog.answer(false)}
                disabled={busy}
                data-autofocus={dialog.danger && wanted === null ? true : undefined}
              >
                {t('cancel')}
              </Button>
              <Button
                type="submit"
                color={dialog.danger ? 'red' : 'accent'}
                loading={busy}
                disabled={!ready}
                data-autofocus={dialog.danger ? undefined : true}
              >
                {dialog.action}
              </Button>
            </>
          )}
        </div>
      </form>
    </Modal>
  )
}
