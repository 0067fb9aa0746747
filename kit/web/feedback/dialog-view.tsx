import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../i18n/catalogue.ts'
import type { Asked } from './dialogs.tsx'
import { wasTold } from './notify.tsx'
import { Problems } from './problems.tsx'
import { Submit } from './submit.tsx'
import { TypedToConfirm, Whom, isTyped, labelToConfirm, wantedFor } from './weight.tsx'
import css from './feedback.module.css'

/** One dialog of `confirm` or `alert`; fetched when somebody is asked. */
export default function DialogView({ dialog }: { dialog: Asked }) {
  const t = useT('kit')
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const wanted = wantedFor(dialog)
  const go = async () => {
    if (busy) return
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
  const careful = dialog.danger || dialog.careful
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
        <Whom whom={dialog.whom} />
        <TypedToConfirm of={dialog} value={typed} onChange={setTyped} />
        {error !== null && !wasTold(error) && <Problems error={error} onLeave={() => dialog.answer(false)} />}
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
                data-autofocus={careful && wanted === null ? true : undefined}
              >
                {t('cancel')}
              </Button>
              <Submit
                type="submit"
                color={dialog.danger ? 'red' : 'accent'}
                loading={busy}
                missing={[!isTyped(wanted, typed) && labelToConfirm(t, dialog)]}
                data-autofocus={careful ? undefined : true}
              >
                {dialog.action}
              </Submit>
            </>
          )}
        </div>
      </form>
    </Modal>
  )
}
