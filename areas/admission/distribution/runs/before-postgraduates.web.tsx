import { Before } from './before-parts.web.tsx'

export default function DistributionOfPostgraduates() {
  return <Before types={[4, 5, 6]} />
}
