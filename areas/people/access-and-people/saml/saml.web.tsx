import { Alert, Autocomplete, Button, Table } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { Code, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { KNOWN_ATTRIBUTES, mapped, shortAttributeOf } from './mapping.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { samlCalls as calls } from './saml.contract.ts'

type Setup = ResponseOf<typeof calls.samlSetup>['data']

/** How single sign-on by SAML is set up, and which attribute of the provider tells what. */
export default function SamlSetup() {
  const t = useT('access-and-people')
  const { data, error, refetch } = useCall(calls.samlSetup)
  return (
    <Page title={t('saml_setup')} subtitle={t('saml_text')}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={500} />
      ) : !data.data.own ? (
        <Alert color="accent">{t('saml_missing')}</Alert>
      ) : (
        <Stack gap={16}>
          {data.data.trouble !== null && <Alert color="red">{t('saml_trouble', { why: data.data.trouble })}</Alert>}
          <Facts setup={data.data} own={data.data.own} />
          {data.data.provider && <Attributes key={data.data.mapping.version} setup={data.data} />}
        </Stack>
      )}
    </Page>
  )
}

function Facts({ setup, own }: { setup: Setup; own: NonNullable<Setup['own']> }) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const { provider } = setup
  return (
    <>
      <Card title={t('saml_own')}>
        <Lines
          lines={[
            [t('saml_metadata'), own.metadata],
            [t('saml_entity'), own.entity_id],
            [t('saml_consumer'), own.consumer],
          ]}
        />
      </Card>
      {provider && (
        <Card title={t('saml_provider')}>
          <Lines
            lines={[
              [t('saml_entity'), provider.entity_id],
              ...provider.certificates.map(
                ({ fingerprint, until }) =>
                  [t('saml_certificate', { until: formatInstant(until, l) }), fingerprint.slice(0, 29)] as const,
              ),
            ]}
          />
        </Card>
      )}
    </>
  )
}

const Lines = ({ lines }: { lines: readonly (readonly [string, string])[] }) => (
  <Table>
    <Table.Tbody>
      {lines.map(([label, value]) => (
        <Table.Tr key={`${label} ${value}`}>
          <Table.Th>{label}</Table.Th>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Code>{value}</Code>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

function Attributes({ setup }: { setup: Setup }) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const { busy, problem, go, send } = useChange('/single-sign-on')
  const [by, setBy] = useState<Mapping>(setup.mapping)
  const came = new Set([
    ...setup.samples.flatMap(({ attributes }) => Object.keys(attributes)),
    ...KNOWN_ATTRIBUTES.map(({ name }) => name),
  ])
  const save = () =>
    go(async () => {
      await send(calls.mapSaml, { body: { ...by, version: setup.mapping.version } })
      notify.done(t('saml_saved'))
    })
  const input = (name: keyof Mapping, label: string, doubt: string | false) => (
    <Autocomplete
      label={label}
      dir="ltr"
      value={by[name] ?? ''}
      placeholder={name === 'identity' ? 'NameID' : undefined}
      description={
        by[name] !== null && shortAttributeOf(by[name]) !== by[name] ? shortAttributeOf(by[name]) : undefined
      }
      error={by[name] !== null && doubt}
      data={[...came]}
      renderOption={({ option }) => (
        <span dir="ltr">
          {shortAttributeOf(option.value) === option.value
            ? option.value
            : `${shortAttributeOf(option.value)} · ${option.value}`}
        </span>
      )}
      onChange={(value) => setBy({ ...by, [name]: value.trim() || null })}
    />
  )
  const doubt = (trusted: boolean, setting: string) => !trusted && t('saml_not_trusted', { setting })
  return (
    <>
      <Card title={t('saml_mapping')} text={t('saml_mapping_text')}>
        <Stack gap={12}>
          {problem !== null && <Problems error={problem} />}
          {input('identity', t('saml_identity'), false)}
          {input('email', t('saml_email'), doubt(setup.trusts.email, 'SAML_TRUST_EMAIL'))}
          {input('code', t('saml_code'), doubt(setup.trusts.code, 'SAML_TRUST_CODE'))}
          <div>
            <Button loading={busy} onClick={() => void save()}>
              {t('saml_save')}
            </Button>
          </div>
        </Stack>
      </Card>
      <Card title={t('saml_try')} text={t('saml_try_text')}>
        <Stack gap={12}>
          {setup.watched_until === null ? (
            <div>
              <Button variant="default" loading={busy} onClick={() => void go(() => send(calls.watchSaml))}>
                {t('saml_watch')}
              </Button>
            </div>
          ) : (
            <div>{t('saml_watching', { until: formatInstant(setup.watched_until, l) })}</div>
          )}
          {setup.watched_until !== null && !setup.samples.length && <div>{t('saml_samples_none')}</div>}
          {setup.samples.map((sample) => (
            <Sample key={sample.at} sample={sample} by={by} />
          ))}
        </Stack>
      </Card>
    </>
  )
}

/** What came of one person, and who that is by the attributes as they are chosen above, saved or not. */
function Sample({ sample, by }: { sample: Setup['samples'][number]; by: Mapping }) {
  const t = useT('access-and-people')
  const l = useLanguage()
  const who = mapped(sample, by)
  const told = (value: string | null) => value ?? `(${t('saml_nothing')})`
  return (
    <section aria-label={formatInstant(sample.at, l)}>
      <strong>{formatInstant(sample.at, l)}</strong>
      <Lines
        lines={[
          ['NameID', told(sample.nameId)],
          ...Object.entries(sample.attributes).map(
            ([name, values]) => [shortAttributeOf(name), values.join('; ')] as const,
          ),
        ]}
      />
      <p>{t('saml_result')}</p>
      <Lines
        lines={[
          [t('saml_identity'), told(who.subject)],
          [t('saml_email'), told(who.email)],
          [t('saml_code'), told(who.code)],
        ]}
      />
    </section>
  )
}
