import { Alert } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { shareCalls } from './share.contract.ts'
import { ShownStudy } from './shown.web.tsx'

/** The page as the other person sees it, for the student. */
export default function SharePreview() {
  const t = useT('students')
  const { id } = useParams()
  const { data, error, refetch } = useCall(shareCalls.previewShare, { params: { id: Number(id) } })
  return (
    <Page title={t('share_preview')} wide={false}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={400} />
      ) : (
        <Stack>
          <Alert icon={<IconEye size={18} />}>{t('share_preview_text')}</Alert>
          <ShownStudy shown={data.data} />
        </Stack>
      )}
    </Page>
  )
}
