import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { basisCalls } from '#kit/contract/basis.ts'
import { useCall } from '../../api/hooks.ts'
import { Outdated } from '../../basis/outdated.tsx'
import { useEveryLabel, useT } from '../../i18n/catalogue.ts'
import { useLanguage } from '../../i18n/language.ts'
import { screenAt, titleOf } from '../../router/screens.ts'
import { Card, Stack } from '../../shell/card.tsx'
import { Page } from '../../shell/page.tsx'

const ALL = ''

/** Everything that was decided upon something that has changed since, and concerns the reader. */
export default function OutdatedDecisions() {
  const t = useT('basis')
  const l = useLanguage()
  const say = useEveryLabel()
  const [kind, setKind] = useState(ALL)
  const { data } = useCall(basisCalls.outdatedDecisions, { body: { perPage: 1 } })
  const kinds = data?.meta.kinds ?? []
  return (
    <Page title={titleOf(screenAt('/outdated-decisions')!, l)} subtitle={t('outdated_text')}>
      <Stack>
        {kinds.length > 1 && (
          <SegmentedControl
            aria-label={t('kind')}
            value={kind}
            onChange={setKind}
            data={[
              { value: ALL, label: t('all') },
              ...kinds.map((one) => ({
                value: one.kind,
                label: `${say([one.title.name, one.title.name_local])} · ${one.count}`,
              })),
            ]}
          />
        )}
        <Card label={t('outdated')}>
          <Outdated key={kind} {...(kind !== ALL && { kind })} />
        </Card>
      </Stack>
    </Page>
  )
}
