import { Anchor, NativeSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Coming } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatNumber, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from './development.module.css'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema?: { readonly enum?: readonly string[] }
}
interface Operation {
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
}
interface Description {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Answer {
  readonly status: number
  readonly ms: number
  readonly text: string
}
/** Characters of an answer that are shown. */
const SHOWN = 20_000
const BASE = '/api'

const isNeeded = (parameter: Parameter): boolean => parameter.in === 'path' || parameter.required === true

/** The calls that only read. */
const readingOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) => (methods.get ? [{ path, operation: methods.get }] : []))

/** For developers: the description of the API, how it is called, and a place to try what only reads with the own rights. */
export default function DevelopmentScreen() {
  const t = useT('settings')
  const lang = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Description> => {
      const answer = await fetch(`${BASE}/openapi.json`, { signal })
      if (!answer.ok) throw new Error(String(answer.status))
      return (await answer.json()) as Description
    },
  })
  const [path, setPath] = useState<string | null>(null)
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [busy, setBusy] = useState(false)
  const calls = data ? readingOf(data) : []
  const chosen = calls.find((call) => call.path === path)
  const parameters = chosen?.operation.parameters ?? []
  const missing = parameters
    .filter((parameter) => parameter.schema?.enum && isNeeded(parameter) && !given[parameter.name]?.trim())
    .map((parameter) => parameter.name)
  const address = () => {
    const filled = (path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(given[name]?.trim() ?? ''),
    )
    const query = new URLSearchParams(
      parameters.flatMap((parameter) =>
        parameter.in === 'query' && given[parameter.name] ? [[parameter.name, given[parameter.name]!]] : [],
      ),
    ).toString()
    return `${filled.startsWith(BASE) ? '' : BASE}${filled}${query ? `?${query}` : ''}`
  }
  const send = async () => {
    setBusy(true)
    const began = performance.now()
    try {
      const sent = await fetch(address(), { credentials: 'same-origin', headers: { 'accept-language': lang } })
      const text = await sent.text()
      const json = sent.headers.get('content-type')?.includes('json')
      setAnswer({
        status: sent.status,
        ms: Math.round(performance.now() - began),
        text: json ? JSON.stringify(JSON.parse(text), null, 2) : t('development_file', { size: text.length }),
      })
    } catch {
      setAnswer({ status: 0, ms: Math.round(performance.now() - began), text: '' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Page title={t('development')} subtitle={data ? `API ${data.info.version}` : '\u00A0'} wide={false}>
      <Stack>
        <Card title={t('development_description')} text={t('development_description_text')}>
          <p className={css.links}>
            <Anchor href={`${BASE}/docs`} target="_blank" rel="noreferrer">
              {t('development_docs')}
            </Anchor>
            <Anchor href={`${BASE}/openapi.json`} target="_blank" rel="noreferrer">
              OpenAPI
            </Anchor>
          </p>
        </Card>
        <Card title={t('development_how')} text={t('development_how_text')}>
          <pre className={css.code} dir="ltr">
            {`TOKEN=$(curl -s ${window.location.origin}${BASE}/login \\
  -H 'content-type: application/json' \\
  -d '{"email": "…", "password": "…"}' | jq -r .data.token)

curl ${window.location.origin}${BASE}/users/profile -H "authorization: Bearer $TOKEN"`}
          </pre>
          <p>{t('development_no_webhooks')}</p>
        </Card>
        <Card title={t('development_try')} text={t('development_try_text')}>
          {error && !data ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : !data ? (
            <Coming />
          ) : !calls.length ? (
            <Empty title={t('development_no_calls')} />
          ) : (
            <PlainForm className={css.form} busy={busy} send={() => void send()}>
              <Select
                label={t('development_call')}
                searchable
                data={calls.map((call) => call.path)}
                value={path}
                description={chosen?.operation.summary}
                onChange={(next) => {
                  setPath(next)
                  setGiven({})
                  setAnswer(null)
                }}
              />
              {parameters.map((parameter) =>
                parameter.schema?.enum ? (
                  <NativeSelect
                    key={parameter.name}
                    label={isNeeded(parameter) ? parameter.name : <Optional label={parameter.name} />}
                    value={given[parameter.name] ?? ''}
                    data={['', ...parameter.schema.enum]}
                    onChange={(event) => setGiven({ ...given, [parameter.name]: event.currentTarget.value })}
                  />
                ) : (
                  <Asked
                    key={parameter.name}
                    name={parameter.name}
                    optional={!isNeeded(parameter)}
                    dir="ltr"
                    label={isNeeded(parameter) ? parameter.name : <Optional label={parameter.name} />}
                    value={given[parameter.name] ?? ''}
                    onChange={(event) => setGiven({ ...given, [parameter.name]: event.currentTarget.value })}
                  />
                ),
              )}
              <div>
                <Submit type="submit" loading={busy} missing={[!chosen && t('development_call'), ...missing]}>
                  {t('development_send')}
                </Submit>
              </div>
              {answer && (
                <output className={css.answer}>
                  <span>
                    <Code>{`GET ${address()}`}</Code>{' '}
                    <Status
                      is={answer.status >= 200 && answer.status < 300 ? 'ready' : 'failed'}
                      label={answer.status ? String(answer.status) : t('development_no_answer')}
                    />{' '}
                    <small>{formatNumber(answer.ms)} ms</small>
                  </span>
                  <pre className={css.code} dir="ltr">
                    {answer.text.length > SHOWN ? `${answer.text.slice(0, SHOWN)}\n…` : answer.text}
                  </pre>
                </output>
              )}
            </PlainForm>
          )}
        </Card>
      </Stack>
    </Page>
  )
}
