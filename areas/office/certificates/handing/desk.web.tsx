import { Button, TextInput } from '@mantine/core'
import { IconCamera, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Camera, readsCodes } from '#kit/web/camera/camera.tsx'
import { Code, Problems } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../certificates.module.css'
import { codeIn, handingCalls } from './handing.contract.ts'

type Handed = ResponseOf<typeof handingCalls.handOver>['data']
interface Scan {
  readonly key: number
  readonly code: string
  readonly done: Handed | null
  readonly refused: unknown
}

/** The desk where certificates are handed over: each paper is scanned, or its code typed, one after the other. */
export default function HandOver() {
  const t = useT('certificates')
  const { send } = useChange('/certificates', '/users/work')
  const [text, setText] = useState('')
  const [other, setOther] = useState('')
  const [camera, setCamera] = useState(false)
  const [scans, setScans] = useState<readonly Scan[]>([])
  const field = useRef<HTMLInputElement>(null)
  /** What the camera sees again while the paper lies before it. */
  const last = useRef('')
  const take = async (typed: string) => {
    const code = codeIn(typed)
    if (!code) return
    setText('')
    field.current?.focus()
    const collected_by = other.trim()
    const scan = await send(handingCalls.handOver, { body: { code, ...(collected_by && { collected_by }) } }).then(
      ({ data }) => ({ done: data, refused: null }),
      (error: unknown) => ({ done: null, refused: error }),
    )
    setOther('')
    setScans((before) => [{ key: before.length, code, ...scan }, ...before])
  }
  return (
    <Page title={t('hand_over_title')} subtitle={t('hand_over_text')} wide={false}>
      <Card>
        <form
          className={css.handing}
          onSubmit={(event) => {
            event.preventDefault()
            void take(text)
          }}
        >
          <TextInput
            ref={field}
            data-autofocus
            autoFocus
            label={t('hand_over_code')}
            description={t('hand_over_code_text')}
            value={text}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <TextInput
            label={t('collected_by')}
            description={t('collected_by_text')}
            value={other}
            maxLength={200}
            onChange={(event) => setOther(event.currentTarget.value)}
          />
          <div className={css.line}>
            <Button type="submit">{t('hand_over')}</Button>
            {readsCodes() && (
              <Button
                variant="default"
                leftSection={<IconCamera size={16} aria-hidden />}
                aria-pressed={camera}
                onClick={() => setCamera(!camera)}
              >
                {camera ? t('close_camera') : t('open_camera')}
              </Button>
            )}
          </div>
          {camera && (
            <Camera
              read={(seen) => (seen.includes('/qr_code/') ? codeIn(seen) : null)}
              found={(code) => {
                if (last.current === code) return
                last.current = code
                void take(code)
              }}
              label={t('camera')}
              failed={t('camera_failed')}
            />
          )}
        </form>
      </Card>
      <Scans scans={scans} />
    </Page>
  )
}

/** What was scanned here, the newest first. */
function Scans({ scans }: { scans: readonly Scan[] }) {
  const t = useT('certificates')
  const lang = useLanguage()
  return (
    <ul className={css.scans} aria-live="polite" aria-label={t('hand_over_done')}>
      {scans.map(({ key, code, done, refused }) => (
        <li key={key} data-refused={done === null || undefined}>
          {done ? <IconCircleCheck size={22} aria-hidden /> : <IconCircleX size={22} aria-hidden />}
          {done ? (
            <div>
              <Link to={to('/certificates/show/:id', { id: done.id })}>{nameOf(done.holder, lang)}</Link>
              <small>
                {nameOf(done.title, lang)} · <Code>{done.serial}</Code> · {t('copies_of', { count: done.copies })}
              </small>
            </div>
          ) : (
            <div>
              <Code>{code}</Code>
              <Problems error={refused} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
