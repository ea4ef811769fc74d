import type { APIRoute } from 'astro';
import { type SiteSkill, skills } from '../../../../skills.ts';

export const getStaticPaths = () => skills.map((skill) => ({ params: { name: skill.name }, props: { skill } }));

export const GET: APIRoute<{ skill: SiteSkill }> = ({ props }) => new Response(props.skill.text);
