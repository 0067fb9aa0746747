import { useEffect } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import ResourceDetail from '#kit/web/detail/resource-detail.tsx'
import { Empty } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { getCurrentTerms } from '../terms/term.contract.ts'
import yearWeb from './year.web.tsx'

/** One academic year; without an id, the present one. */
export default function YearScreen() {
  const { id } = useParams()
  return id ? <ResourceDetail web={yearWeb} /> : <PresentYear />
}

function PresentYear() {
  const t = useT('terms')
  const navigate = useNavigate()
  const { data } = useCall(getCurrentTerms)
  const year = data?.data.current_term?.year
  useEffect(() => {
    if (year) void navigate(to('/settings/years/show/:id?', { id: year.id }), { replace: true })
  }, [year, navigate])
  return (
    <Page title={data && !year ? t('academic_year') : null} subtitle={'\u00A0'}>
      {(!data || year) && <div aria-busy="true" style={{ minBlockSize: '60vh' }} />}
      {data && !year && <Empty title={t('no_current_term')} />}
    </Page>
  )
}
