import { Button } from '@mantine/core'
import { IconCamera, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, useChange } from '#kit/web/api/index.ts'
import { Camera, readsCodes } from '#kit/web/camera/camera.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import type { ResponseOf } from '#kit/contract/call.ts'
import { meetingType } from '#kit/contract/week.ts'
import css from '../attendance.module.css'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import { StateWord } from '../parts.web.tsx'

/** The code in the address that a QR code bears; null: it is not one of ours. */
const codeIn = (text: string): string | null => /\/attend\/([\w-]{10,60})$/.exec(text)?.[1] ?? null

type Counted = ResponseOf<typeof calls.scan>['data']

/** A student's own presence: by the address of the code, or by the camera here. */
export default function Scan() {
  const t = useT('attendance')
  const say = useLabel()
  const lang = useLanguage()
  const { code } = useParams()
  const [counted, setCounted] = useState<Counted | null>(null)
  const [camera, setCamera] = useState(false)
  const { busy, problem, go, send, forget } = useChange('/attendance', '/users/work')
  const sent = useRef<string | null>(null)
  const scan = async (text: string) => {
    if (sent.current === text) return
    sent.current = text
    setCamera(false)
    const done = await go(() => send(calls.scan, { body: { code: text } }))
    if (done) setCounted(done.answer.data)
  }
  const opened = useEffectEvent((text: string) => void scan(text))
  useEffect(() => {
    const timer = code ? setTimeout(() => opened(code)) : undefined
    return () => clearTimeout(timer)
  }, [code])
  const again = problem instanceof ApiError ? problem.errors.find((one) => one.code === 'scan_counted') : undefined
  const already = again && { text: problemText(again) }
  return (
    <Page title={t('scan_title')} wide={false}>
      <Card>
        <div className={css.scan}>
          {counted ? (
            <div className={css.tick} role="status">
              <IconCircleCheck size={84} aria-hidden />
              <strong>
                <bdi>{nameOf(counted.course, lang)}</bdi>
              </strong>
              <StateWord state={counted.state} />
              <span className={css.dim}>
                {say(meetingType(counted.type))} · {formatDate(counted.date, 'weekday', lang)} · <bdi>{counted.at}</bdi>
              </span>
              <Button variant="default" component={Link} to={to('/my_attendance')}>
                {t('my_attendance')}
              </Button>
            </div>
          ) : camera ? (
            <Camera read={codeIn} found={(text) => void scan(text)} label={t('camera')} failed={t('camera_failed')} />
          ) : (
            <>
              {already ? (
                <div className={css.tick} role="status">
                  <IconCircleCheck size={84} aria-hidden />
                  <strong>{already.text}</strong>
                  <Button variant="default" component={Link} to={to('/my_attendance')}>
                    {t('my_attendance')}
                  </Button>
                </div>
              ) : (
                problem !== null && <Problems error={problem} />
              )}
              {!busy && !already && (
                <>
                  <p>{readsCodes() ? t('scan_text') : t('scan_text_phone')}</p>
                  {readsCodes() && (
                    <Button
                      size="lg"
                      leftSection={<IconCamera size={20} aria-hidden />}
                      onClick={() => {
                        forget()
                        sent.current = null
                        setCamera(true)
                      }}
                    >
                      {t('open_camera')}
                    </Button>
                  )}
                </>
              )}
            </>
          )}
        </div>
      </Card>
    </Page>
  )
}
