// Installed by the commands that need them, so that their own types may be missing when types are checked.
declare module '@n8n/scan-community-package/scanner/scanner.mjs';
declare module '@stryker-mutator/core';
declare module 'jest-runner';
