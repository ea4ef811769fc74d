import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeLanguage } from '../../site/almanac/code-language.ts';

const examples: [code: string, language: string][] = [
  ["<?php\nadd_action('parse_request', fn () => null);", 'php'],
  ['<form toolname="search">', 'html'],
  ['<?xml version="1.0"?><urlset>', 'xml'],
  ['from django.http import HttpResponse', 'python'],
  ["import express from 'express';", 'js'],
  ['claude mcp add --transport http porchlight https://example.com/mcp', 'bash'],
  ['POST /mcp HTTP/1.1', 'http'],
  ['{ "a": 1 }', 'json'],
  ['User-agent: *', 'txt'],
];

for (const [code, language] of examples) {
  test(`${code.slice(0, 30)} is ${language}`, () => assert.equal(codeLanguage(code), language));
}
