import { Button } from '@mantine/core'
import { useState } from 'react'
import { TEXT_PLACES, type TextPlace } from './places.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Failed, Name } from '#kit/web/feedback/index.ts'
import { useFormSet } from '#kit/web/form/form.tsx'
import { formatInstant, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { changedWords } from './template.rules.ts'
import { TEXT_PLACE_NAMES } from './places.contract.ts'
import { typeCalls, type CertificateWording } from './type.contract.ts'
import css from './template.module.css'

/** Every wording that the type has had, what each changed, and how many certificates were prepared with it. */
export function TemplateVersions({ row }: { row: { id: number; version: number } }) {
  const t = useT('certificates')
  const { data, error, refetch } = useCall(
    typeCalls.versions,
    { params: { id: row.id } },
    { meta: { version: row.version } },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={80} />
  if (data.data.length === 0) return null
  return (
    <Card title={t('versions')}>
      <ol className={css.versions}>
        {data.data.map((one, i) => (
          <li key={one.id}>
            <Version now={one} before={data.data[i + 1]} newest={i === 0} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Version({
  now,
  before,
  newest,
}: {
  now: CertificateWording
  before: CertificateWording | undefined
  newest: boolean
}) {
  const t = useT('certificates')
  const set = useFormSet()
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{t('version', { number: now.number })}</span>
        <small>{formatInstant(now.created_at)}</small>
        {now.created_by && (
          <small>
            <Name row={now.created_by} />
          </small>
        )}
        <small>{t('version_used', { count: now.used })}</small>
      </summary>
      {open && <Changes before={before} now={now} />}
      {!newest && (
        <Button variant="default" size="xs" mt={10} onClick={() => set({ body: now.body, body_local: now.body_local })}>
          {t('version_take')}
        </Button>
      )}
    </details>
  )
}

/** Both languages beside each other, with what went and what came. */
function Changes({ before, now }: { before: CertificateWording | undefined; now: CertificateWording }) {
  const say = useLabel()
  const named = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, place: string) =>
      (TEXT_PLACES as readonly string[]).includes(place) ? `[${say(TEXT_PLACE_NAMES[place as TextPlace])}]` : whole,
    )
  return (
    <div className={css.compared}>
      {(['body', 'body_local'] as const).map((name) => (
        <p key={name} dir={name === 'body' ? 'ltr' : 'rtl'} lang={name === 'body' ? 'en' : 'ar'}>
          {changedWords(before ? before[name] : now[name], now[name]).map(({ kind, text }, i) =>
            kind === 'gone' ? (
              <del key={i}>{named(text)}</del>
            ) : kind === 'new' ? (
              <ins key={i}>{named(text)}</ins>
            ) : (
              <span key={i}>{named(text)}</span>
            ),
          )}
        </p>
      ))}
    </div>
  )
}
